import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { DOCUMENT_TYPE, MetadataView } from '../../documents/metadata.view';

@ApiSchema({ description: 'The file itself.' })
export class ProvisionedFileView {
  @ApiProperty({ format: 'byte', description: 'The content, base64-encoded.', example: 'JVBERi0xLjcK' })
  base64: string;

  @ApiProperty({
    description: 'The file name; for storage providers, the name at the provider.',
    example: 'invoice-4711.pdf',
  })
  filename: string;

  @ApiProperty({ description: 'Its media type.', example: 'application/pdf' })
  mime_type: string;
}

@ApiSchema({ description: 'A document with its metadata, as pushed and pulled.' })
export class ProvisionedDocumentView {
  @ApiProperty({ description: 'Your own name for the identity.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ format: 'uuid', description: 'The identity.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  identity_uuid: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The connection.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  connection_uuid: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The transaction. The same for every attempt: use it to detect duplicates.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  transaction_uuid: string;

  @ApiProperty({ ...DOCUMENT_TYPE, description: 'What it is.', example: 'invoice' })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, stable when the file is rendered again; null when there is none.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ type: ProvisionedFileView, description: 'The file.' })
  document: ProvisionedFileView;

  @ApiProperty({
    type: MetadataView,
    description: 'The metadata of the document.',
    example: { number: '4711', date: '2026-11-02', amount: '119.00', currency: 'EUR' },
  })
  metadata: Metadata;
}
