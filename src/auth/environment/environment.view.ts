import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { EnvironmentKind, MailPolicy, Strategy } from '../../identities/environments/setting-values';
import { ENVIRONMENT_KIND, MAIL_POLICY, STRATEGY } from '../../identities/environments/environment-enums';
import { EnvironmentUsage } from '../../fetches/usage/usage.view';
import { CIRCUIT } from '../../provisioning/circuit/circuit.view';
import type { CircuitState } from '../../provisioning/circuit/endpoint.entity';
import { ApiKeyLimitsView } from '../keys/api-key.view';
import { EnvironmentLimits, EnvironmentRetention } from './environment-limits.view';

@ApiSchema({ name: 'EnvironmentProvisioning', description: 'How documents reach you.' })
export class ProvisioningView {
  @ApiProperty({ ...STRATEGY, description: 'The strategy of your environment.', example: 'PUSH' })
  strategy: Strategy;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'The provisioning URL, without the query parameter `token`; null when there is none.',
    example: 'https://api.example.com/documents',
  })
  url: string | null;

  @ApiProperty({ ...CIRCUIT, description: 'The circuit state of this URL.', example: 'CLOSED' })
  circuit: CircuitState;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The time of the first of the consecutive failures; null while the circuit is closed.',
    example: null,
  })
  failing_since: string | null;
}

@ApiSchema({ name: 'EnvironmentApiKey', description: 'The API key of this request.' })
export class ApiKeyView extends ApiKeyLimitsView {
  @ApiProperty({ description: 'The prefix.', example: 'df_live_' })
  prefix: string;

  @ApiProperty({ description: 'Its last four characters.', example: 'x3Zq' })
  last_four: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it expires; null when it does not expire.',
    example: null,
  })
  expires_at: string | null;
}

@ApiSchema({
  name: 'Environment',
  description: 'The environment of the API key: where your application keeps its identities and connections.',
})
export class EnvironmentView {
  @ApiProperty({ format: 'uuid', description: 'The environment.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  environment_uuid: string;

  @ApiProperty({ description: 'The client application.', example: 'Acme' })
  client_name: string;

  @ApiProperty({ description: 'Its name.', example: 'Production' })
  name: string;

  @ApiProperty({ ...ENVIRONMENT_KIND, description: 'What it is for.', example: 'LIVE' })
  kind: EnvironmentKind;

  @ApiProperty({ type: ProvisioningView, description: 'How documents reach you.' })
  provisioning: ProvisioningView;

  @ApiProperty({ type: EnvironmentLimits, description: 'Your limits.' })
  limits: EnvironmentLimits;

  @ApiProperty({ type: EnvironmentRetention, description: 'Retention times.' })
  retention: EnvironmentRetention;

  @ApiProperty({
    description: 'Whether metadata are also read from the text of PDFs (`TEXT` in `metadata.provenance`).',
    example: true,
  })
  text_extraction: boolean;

  @ApiProperty({
    description:
      'Whether documents with `metadata.same_as` are held: they are `AVAILABLE` instead of pushed, `document.available` has the reason `DUPLICATE`, and their content is kept until you acknowledge them.',
    example: false,
  })
  hold_duplicates: boolean;

  @ApiProperty({
    description:
      'Whether you are told when a supplier that has sent an invoice every month has not sent the next one: by the event `document.expected_missing`, and in the timeline of its connection.',
    example: false,
  })
  expected_documents: boolean;

  @ApiProperty({
    ...MAIL_POLICY,
    description: 'Which mails for addresses of `mail_inbox` are accepted.',
    example: 'DMARC',
  })
  mail_policy: MailPolicy;

  @ApiProperty({
    type: [String],
    description: 'Origins that a `return_url` may have.',
    example: ['https://app.example.com'],
  })
  return_origins: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Origins of the pages that may show the hosted UI in a frame.',
    example: ['https://app.example.com'],
  })
  embedding_origins: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Origins of your own web pages that may call the API with a UI token.',
    example: ['https://app.example.com'],
  })
  browser_origins: readonly string[];

  @ApiProperty({ type: ApiKeyView, description: 'The API key of this request.' })
  api_key: ApiKeyView;

  @ApiProperty({ type: EnvironmentUsage, description: 'The usage of the current month.' })
  usage: EnvironmentUsage;
}
