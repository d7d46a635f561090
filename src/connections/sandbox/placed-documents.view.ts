import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';

@ApiSchema({ name: 'SandboxDocument', description: 'A document added to a sandbox portal.' })
export class PlacedDocumentView {
  @ApiProperty({ description: 'Its file name.', example: 'RE-2026-P00001.xml' })
  filename: string;

  @ApiProperty({ ...DOCUMENT_TYPE, description: 'Its type.', example: 'invoice' })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id that the portal assigned; null if it assigns none.',
    example: 'SBX-1F2E3D4C-P00001',
  })
  external_id: string | null;

  @ApiProperty({ description: 'Its number, as in its metadata.', example: 'RE-2026-P00001' })
  number: string;

  @ApiProperty({ format: 'date', description: 'Its date.', example: '2026-11-20' })
  date: string;

  @ApiProperty({ description: 'Its gross amount in euros.', example: '1190.00' })
  amount: string;
}

@ApiSchema({
  name: 'SandboxDocuments',
  description: 'The documents that were put into a sandbox portal for the next fetch.',
})
export class PlacedDocumentsView {
  @ApiProperty({ type: [PlacedDocumentView], description: 'The documents.' })
  documents: PlacedDocumentView[];
}
