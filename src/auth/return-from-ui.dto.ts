import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsUUID } from 'class-validator';

export const RETURN_RESULTS = ['success', 'cancelled', 'error'] as const;
export const RETURN_ACTIONS = ['created', 'updated', 'deleted', 'none'] as const;

export class ReturnFromUiDto {
  @ApiProperty({
    enum: RETURN_RESULTS,
    enumName: 'ReturnResult',
    description: 'How the visit ended.',
    example: 'success',
  })
  @IsNotEmpty()
  @IsIn(RETURN_RESULTS)
  result: (typeof RETURN_RESULTS)[number];

  @ApiProperty({ enum: RETURN_ACTIONS, enumName: 'ReturnAction', description: 'What was done.', example: 'created' })
  @IsNotEmpty()
  @IsIn(RETURN_ACTIONS)
  action: (typeof RETURN_ACTIONS)[number];

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The connection it was done with; by default the one that the token was opened for.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string | null;
}
