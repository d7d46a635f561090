import { ApiProperty, ApiPropertyOptional, ApiSchema, OmitType } from '@nestjs/swagger';
import type { DocumentType } from '../../../documents/metadata';
import { DOCUMENT_TYPE } from '../../../documents/metadata.view';
import { localize } from '../../../platform/i18n/lang';
import { apiEnum } from '../../../platform/openapi/api-enum';
import { FieldView, fieldView } from './field.view';
import type { AuthType, Category, Integration, Maturity } from '../integration';

export const CATEGORY = apiEnum<Category>('IntegrationCategory', 'The kind of source.', {
  MAILBOX: 'a mailbox',
  CLOUD_STORAGE: 'files in a cloud storage',
  ACCOUNTING: 'an accounting tool',
  PORTAL: 'a portal of a supplier',
});

export const AUTH_TYPE = apiEnum<AuthType>('IntegrationAuthType', 'How an integration is authorized.', {
  CREDENTIALS: 'with user name and password, or a key, entered in the first step',
  OAUTH2: 'by the end user at the provider, with OAuth 2',
});

export const MATURITY = apiEnum<Maturity>('IntegrationMaturity', 'How well an integration is tested.', {
  BETA: 'against the documentation of the provider, not yet with a live account',
  STABLE: 'against real servers, or with a live account',
});

@ApiSchema({ description: 'A source that documents can be fetched from.' })
export class IntegrationSummaryView {
  @ApiProperty({ description: 'Its id.', example: 'imap' })
  integration_id: string;

  @ApiProperty({ description: 'Its name, in the language of the request.', example: 'E-mail (IMAP)' })
  name: string;

  @ApiProperty({ ...CATEGORY, description: 'The kind of source.', example: 'MAILBOX' })
  category: Category;

  @ApiProperty({ ...MATURITY, description: 'How well it is tested.', example: 'STABLE' })
  maturity: Maturity;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For a brand on a known protocol: the integration of the protocol.',
    example: null,
  })
  preset_of: string | null;

  @ApiProperty({
    type: [String],
    description: 'Other words that users may search for, in lower case.',
    example: ['e-mail'],
  })
  aliases: readonly string[];

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'The page of the provider where users find their credentials, in the language of the request.',
    example: null,
  })
  help_url: string | null;

  @ApiProperty({ ...AUTH_TYPE, description: 'How it is authorized.', example: 'CREDENTIALS' })
  auth_type: AuthType;

  @ApiProperty({
    description:
      'False while this deployment has no OAuth client that the provider requires, or the file of the provider has errors.',
    example: true,
  })
  available: boolean;

  @ApiProperty({ description: 'Whether a second setup step follows the first.', example: true })
  has_step2: boolean;

  @ApiProperty({ description: 'Whether documents carry an `external_id`.', example: false })
  provides_external_id: boolean;

  @ApiProperty({ description: 'Whether its fields have a `startdate`.', example: true })
  supports_startdate: boolean;

  @ApiProperty({
    ...DOCUMENT_TYPE,
    isArray: true,
    description: 'The document types that it distinguishes.',
    example: ['invoice', 'credit_note', 'document'],
  })
  document_types: readonly DocumentType[];

  @ApiProperty({
    format: 'uri',
    description: 'Its logo, as SVG.',
    example: 'https://docfetch.example.com/logos/imap.svg',
  })
  logo_url: string;

  @ApiPropertyOptional({
    type: [FieldView],
    description: 'The fields of the first setup step: in lists only with `expand=step1_fields`.',
  })
  step1_fields?: FieldView[];
}

@ApiSchema({ description: 'A source that documents can be fetched from, with the fields of its first setup step.' })
export class IntegrationView extends OmitType(IntegrationSummaryView, ['step1_fields']) {
  @ApiProperty({ type: [FieldView], description: 'The fields of the first setup step.' })
  step1_fields: FieldView[];

  @ApiProperty({
    type: [String],
    description:
      'How users get their credentials at `help_url`, step by step, in the language of the request: for providers where they have to create a password for this purpose, or to allow access, first. Empty for all others.',
    example: [],
  })
  help_steps: readonly string[];
}

/** Without the fields of the first setup step. */
export function integrationSummaryView(
  integration: Integration,
  available: boolean,
  publicUrl: string,
): IntegrationSummaryView {
  return {
    integration_id: integration.id,
    name: localize(integration.name),
    category: integration.category,
    maturity: integration.maturity ?? 'BETA',
    preset_of: integration.presetOf ?? null,
    aliases: integration.aliases ?? [],
    help_url: integration.helpUrl ? localize(integration.helpUrl) : null,
    auth_type: integration.authType,
    available,
    has_step2: integration.step2 !== undefined,
    provides_external_id: integration.providesExternalId,
    supports_startdate: integration.supportsStartdate,
    document_types: integration.documentTypes,
    logo_url: `${publicUrl}/logos/${integration.id}.svg`,
  };
}

/** With the fields of the first setup step. */
export const expandedSummaryView = (integration: Integration, available: boolean, publicUrl: string) => ({
  ...integrationSummaryView(integration, available, publicUrl),
  step1_fields: integration.step1.map((field) => fieldView(field)),
});

export const integrationView = (integration: Integration, available: boolean, publicUrl: string): IntegrationView => ({
  ...expandedSummaryView(integration, available, publicUrl),
  help_steps: (integration.helpSteps ?? []).map((step) => localize(step)),
});
