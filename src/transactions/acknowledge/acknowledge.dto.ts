import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { IsPlainText } from '../../platform/errors/plain-text';
import { apiEnum } from '../../platform/openapi/api-enum';

export const ACKNOWLEDGEMENT_RESULTS = ['ACCEPTED', 'REJECTED'] as const;
export type AcknowledgementResult = (typeof ACKNOWLEDGEMENT_RESULTS)[number];

const ACKNOWLEDGEMENT_RESULT = apiEnum<AcknowledgementResult>('AcknowledgementResult', 'What you say of a document.', {
  ACCEPTED: 'you have it',
  REJECTED: 'you have it and cannot use it',
});

/** decisions 5: so many transactions can be acknowledged at once. */
export const MAX_ACKNOWLEDGED_TOGETHER = 500;

@ApiSchema({ description: 'What you say of a document that you have.' })
export class AcknowledgeTransactionDto {
  @ApiProperty({
    ...ACKNOWLEDGEMENT_RESULT,
    description: 'Whether you can use it.',
    example: 'ACCEPTED',
  })
  @IsNotEmpty()
  @IsIn(ACKNOWLEDGEMENT_RESULTS)
  result: AcknowledgementResult;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 1000,
    description:
      'Why, in your words. Of a rejection it is shown as `last_error.message`, and of both in the timeline of the connection.',
    example: 'The supplier is not known to us.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  @IsPlainText()
  message?: string | null;
}

@ApiSchema({ description: 'What you say of many documents that you have.' })
export class AcknowledgeTransactionsDto extends AcknowledgeTransactionDto {
  @ApiProperty({
    type: String,
    isArray: true,
    format: 'uuid',
    minItems: 1,
    maxItems: MAX_ACKNOWLEDGED_TOGETHER,
    description: 'The transactions: all of them are acknowledged, or none. Naming one twice does no harm.',
    example: ['019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a'],
  })
  @IsNotEmpty()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ACKNOWLEDGED_TOGETHER)
  transaction_uuids: string[];
}
