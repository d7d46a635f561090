import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'The result of a bulk redelivery.' })
export class RedeliveryView {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of documents that will be delivered again.',
    example: 128,
  })
  count: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'The number of matching documents that cannot be delivered, because their content is no longer stored.',
    example: 0,
  })
  skipped: number;
}
