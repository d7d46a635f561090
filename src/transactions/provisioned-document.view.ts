import { ApiProperty } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType, type Metadata } from '../documents/metadata';

/** The file itself. */
export class ProvisionedFileView {
  @ApiProperty({ format: 'byte', description: 'The content, base64-encoded.', example: 'JVBERi0xLjcK' })
  base64: string;

  @ApiProperty({ example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({ example: 'application/pdf' })
  mime_type: string;
}

/** A document with its metadata, as it is pushed and pulled (spec 2). */
export class ProvisionedDocumentView {
  @ApiProperty({ example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ format: 'uuid' })
  identity_uuid: string;

  @ApiProperty({ format: 'uuid' })
  connection_uuid: string;

  @ApiProperty({ format: 'uuid', description: 'The same for every attempt: use it to recognise a repeat.' })
  transaction_uuid: string;

  @ApiProperty({ enum: DOCUMENT_TYPES, enumName: 'DocumentType', example: 'invoice' })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system; null when it gives none.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ type: ProvisionedFileView })
  document: ProvisionedFileView;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Every key is optional.',
    example: { number: '4711', date: '2026-11-02', amount: '119.00', currency: 'EUR' },
  })
  metadata: Metadata;
}
