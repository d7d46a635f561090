import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { RenditionMetadata } from './metadata';

@ApiSchema({
  name: 'Rendition',
  description:
    'Another form in which the invoice was received with its document: the PDF of an XML invoice, or the XML that came with a ZUGFeRD PDF.',
})
export class RenditionView implements RenditionMetadata {
  @ApiProperty({
    format: 'uuid',
    description: 'Its id, with which its bytes are downloaded.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  rendition_id: string;

  @ApiProperty({ description: 'Its name.', example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({ description: 'Its media type.', example: 'application/pdf' })
  mime_type: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Its size in bytes.', example: 81_204 })
  size: number;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    description: 'The SHA-256 of its bytes, in lower-case hex.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;
}
