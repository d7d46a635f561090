import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { RetentionClass } from '../../platform/history/retention-class';
import {
  CLIENT_AUTH,
  ENVIRONMENT_KIND,
  MAIL_POLICY,
  RETENTION_CLASS,
  STRATEGY,
} from '../environments/environment-enums';
import type { Environment } from '../environments/environment.entity';
import type { ClientAuth, EnvironmentKind, MailPolicy, Strategy } from '../environments/setting-values';
import { redactUrl } from '../environments/redact-url';

const COUNT = { type: 'integer', minimum: 0 } as const;
const ORIGINS = { type: [String] as [typeof String], example: ['https://app.example.com'] };
const NULLABLE = { type: String, nullable: true } as const;
const TIME = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' } as const;

@ApiSchema({ name: 'ManagedEnvironment', description: 'An environment with all its settings, without secrets.' })
export class ManagedEnvironmentView {
  @ApiProperty({ format: 'uuid', description: 'The environment.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  environment_uuid: string;

  @ApiProperty({ description: 'The client application.', example: 'Acme' })
  client_name: string;

  @ApiProperty({ description: 'Its name.', example: 'Production' })
  name: string;

  @ApiProperty({ ...ENVIRONMENT_KIND, description: 'What it is for.', example: 'LIVE' })
  kind: EnvironmentKind;

  @ApiProperty({ ...COUNT, description: 'Minutes between scheduled fetches.', example: 1440 })
  fetch_interval_minutes: number;

  @ApiProperty({ ...STRATEGY, description: 'How documents reach the client.', example: 'PUSH' })
  strategy: Strategy;

  @ApiProperty({
    ...NULLABLE,
    format: 'uri',
    description: 'The provisioning URL, without the query parameter `token`; null when there is none.',
    example: 'https://api.example.com/documents',
  })
  provisioning_url: string | null;

  @ApiProperty({ ...CLIENT_AUTH, description: 'The authentication of requests to it.', example: 'BEARER' })
  auth: ClientAuth;

  @ApiProperty({ description: 'Whether a secret for the authentication is stored. It is never shown.', example: true })
  has_auth_secret: boolean;

  @ApiProperty({
    ...NULLABLE,
    format: 'date-time',
    description:
      'Until then the former signing secret signs too, after a rotation; null when only the current one signs. The secrets are never shown.',
    example: '2026-11-23T08:30:00.000Z',
  })
  previous_signing_secret_valid_until: string | null;

  @ApiProperty({
    ...COUNT,
    description: 'The size in bytes up to which documents are pushed; larger ones have to be pulled.',
    example: 52_428_800,
  })
  push_limit_bytes: number;

  @ApiProperty({ ...COUNT, description: 'Days that content is kept which was not delivered.', example: 90 })
  retention_days: number;

  @ApiProperty({ ...COUNT, description: 'Days that content is kept after delivery or acknowledgement.', example: 7 })
  retention_delivered_days: number;

  @ApiProperty({ ...RETENTION_CLASS, description: 'How long the history is kept.', example: 'STANDARD' })
  retention_class: RetentionClass;

  @ApiProperty({ description: 'Whether metadata are read from the text of PDFs.', example: true })
  text_extraction: boolean;

  @ApiProperty({ description: 'Whether copies of an invoice wait to be pulled.', example: false })
  hold_duplicates: boolean;

  @ApiProperty({ description: 'Whether the client is notified of missing invoices.', example: false })
  expected_documents: boolean;

  @ApiProperty({ description: 'Whether the content of documents may be opened in the console.', example: true })
  console_content: boolean;

  @ApiProperty({ ...MAIL_POLICY, description: 'Which mails for `mail_inbox` are accepted.', example: 'DMARC' })
  mail_policy: MailPolicy;

  @ApiProperty({ ...ORIGINS, description: 'Origins that a `return_url` may have.' })
  return_origins: readonly string[];

  @ApiProperty({ ...ORIGINS, description: 'Origins of the pages that may show the hosted UI in a frame.' })
  embedding_origins: readonly string[];

  @ApiProperty({ ...ORIGINS, description: 'Origins of web pages that may call the API with a UI token.' })
  browser_origins: readonly string[];

  @ApiProperty({ ...NULLABLE, description: 'What the hosted UI calls the client; null: nothing.', example: 'Acme' })
  theme_name: string | null;

  @ApiProperty({
    ...NULLABLE,
    format: 'uri',
    description: 'The address of the logo in the hosted UI; null: none.',
    example: 'https://www.example.com/logo.svg',
  })
  theme_logo_url: string | null;

  @ApiProperty({ ...NULLABLE, description: 'The color of the hosted UI; null: the usual one.', example: '#0055aa' })
  theme_primary_color: string | null;

  @ApiProperty({ ...TIME, description: 'When it was created.' })
  created_at: string;

  @ApiProperty({
    ...TIME,
    description: 'When its settings were last changed: the `expected_updated_at` of the next change.',
  })
  updated_at: string;
}

/** `previousSecretEnd`: when the last of the former signing secrets stops signing. */
export function managedEnvironmentView(
  environment: Environment,
  previousSecretEnd: Date | null,
): ManagedEnvironmentView {
  const { theme } = environment;
  return {
    environment_uuid: environment.uuid,
    client_name: environment.clientName,
    name: environment.name,
    kind: environment.kind,
    fetch_interval_minutes: environment.fetchIntervalMinutes,
    strategy: environment.strategy,
    provisioning_url: environment.provisioningUrl ? redactUrl(environment.provisioningUrl) : null,
    auth: environment.clientAuth,
    has_auth_secret: environment.clientAuthSecret != null,
    previous_signing_secret_valid_until: previousSecretEnd?.toISOString() ?? null,
    push_limit_bytes: environment.pushLimitBytes,
    retention_days: environment.retentionDays,
    retention_delivered_days: environment.retentionDeliveredDays,
    retention_class: environment.retentionClass,
    text_extraction: environment.textExtraction,
    hold_duplicates: environment.holdDuplicates,
    expected_documents: environment.expectedDocuments,
    console_content: environment.consoleContent,
    mail_policy: environment.mailPolicy,
    return_origins: environment.returnOrigins,
    embedding_origins: environment.embeddingOrigins,
    browser_origins: environment.browserOrigins,
    theme_name: theme.name || null,
    theme_logo_url: theme.logo_url || null,
    theme_primary_color: theme.primary_color || null,
    created_at: environment.createdAt.toISOString(),
    updated_at: environment.updatedAt.toISOString(),
  };
}
