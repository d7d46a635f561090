import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsUUID } from 'class-validator';
import { apiEnum } from '../../platform/openapi/api-enum';

export const RETURN_RESULTS = ['success', 'cancelled', 'error'] as const;
export const RETURN_ACTIONS = ['created', 'updated', 'deleted', 'none'] as const;

const RESULT = apiEnum<(typeof RETURN_RESULTS)[number]>('ReturnResult', 'The result of a session of the hosted UI.', {
  success: 'the user completed the task',
  cancelled: 'the user canceled',
  error: 'with an error',
});

const ACTION = apiEnum<(typeof RETURN_ACTIONS)[number]>('ReturnAction', 'What was done during the session.', {
  created: 'a connection was created',
  updated: 'a connection was changed',
  deleted: 'a connection was deleted',
  none: 'nothing',
});

@ApiSchema({ description: 'The result of a session of the hosted UI.' })
export class ReturnFromUiDto {
  @ApiProperty({
    ...RESULT,
    description: 'The result of the session.',
    example: 'success',
  })
  @IsNotEmpty()
  @IsIn(RETURN_RESULTS)
  result: (typeof RETURN_RESULTS)[number];

  @ApiProperty({ ...ACTION, description: 'What was done.', example: 'created' })
  @IsNotEmpty()
  @IsIn(RETURN_ACTIONS)
  action: (typeof RETURN_ACTIONS)[number];

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The changed connection; by default the one to which the token is restricted.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string | null;
}
