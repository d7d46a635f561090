import { ApiProperty } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType } from '../documents/metadata';
import { localise } from '../platform/http/lang';
import { FieldView, fieldView } from './field.view';
import type { AuthType, Category, Integration } from './integration';

export const CATEGORIES: Category[] = ['MAILBOX', 'CLOUD_STORAGE', 'ACCOUNTING', 'PORTAL'];

/** Something that documents can be fetched from. */
export class IntegrationView {
  @ApiProperty({ example: 'imap' })
  integration_id: string;

  @ApiProperty({ example: 'E-mail (IMAP)' })
  name: string;

  @ApiProperty({ enum: CATEGORIES, enumName: 'IntegrationCategory', example: 'MAILBOX' })
  category: Category;

  @ApiProperty({ enum: ['CREDENTIALS', 'OAUTH2'], enumName: 'AuthType', example: 'CREDENTIALS' })
  auth_type: AuthType;

  @ApiProperty({ description: 'False while this deployment lacks what the provider asks for.', example: true })
  available: boolean;

  @ApiProperty({ description: 'Whether a second setup step follows the first.', example: true })
  has_step2: boolean;

  @ApiProperty({ description: 'Whether documents carry an `external_id`.', example: false })
  provides_external_id: boolean;

  @ApiProperty({ example: true })
  supports_startdate: boolean;

  @ApiProperty({
    enum: DOCUMENT_TYPES,
    enumName: 'DocumentType',
    isArray: true,
    example: ['invoice', 'credit_note', 'document'],
  })
  document_types: readonly DocumentType[];

  @ApiProperty({ format: 'uri', example: 'https://docfetch.example.com/logos/imap.svg' })
  logo_url: string;

  @ApiProperty({ type: [FieldView], description: 'The fields of the first setup step.' })
  step1_fields: FieldView[];
}

export function integrationView(integration: Integration, publicUrl: string): IntegrationView {
  return {
    integration_id: integration.id,
    name: localise(integration.name),
    category: integration.category,
    auth_type: integration.authType,
    available: integration.authType === 'CREDENTIALS',
    has_step2: integration.step2 !== undefined,
    provides_external_id: integration.providesExternalId,
    supports_startdate: integration.supportsStartdate,
    document_types: integration.documentTypes,
    logo_url: `${publicUrl}/logos/${integration.id}.svg`,
    step1_fields: integration.step1.map((field) => fieldView(field)),
  };
}
