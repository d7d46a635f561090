import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'What a redelivery of many found.' })
export class RedeliveryView {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Documents that will be delivered again.', example: 128 })
  count: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Documents that match and cannot be delivered, because their content is no longer kept.',
    example: 0,
  })
  skipped: number;
}
