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
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { apiEnum } from '../../platform/openapi/api-enum';

export const ACKNOWLEDGEMENT_RESULTS = ['ACCEPTED', 'REJECTED'] as const;
export type AcknowledgementResult = (typeof ACKNOWLEDGEMENT_RESULTS)[number];

const ACKNOWLEDGEMENT_RESULT = apiEnum<AcknowledgementResult>(
  'AcknowledgementResult',
  'The result of an acknowledgement.',
  {
    ACCEPTED: 'you have received the document',
    REJECTED: 'you have received the document but cannot use it',
  },
);

/** decisions 5: the maximum number of transactions in one request. */
export const MAX_ACKNOWLEDGED_TOGETHER = 500;

@ApiSchema({ description: 'The acknowledgement of a received document.' })
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
      'The reason, in your own words. For a rejection it is returned as `last_error.message`; for both results it appears in the timeline of the connection.',
    example: 'The supplier is not known to us.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  @IsPlainText()
  message?: string | null;
}

@ApiSchema({ description: 'The acknowledgement of several received documents.' })
export class AcknowledgeTransactionsDto extends AcknowledgeTransactionDto {
  @ApiProperty({
    type: String,
    isArray: true,
    format: 'uuid',
    minItems: 1,
    maxItems: MAX_ACKNOWLEDGED_TOGETHER,
    description: 'The transactions: all of them are acknowledged, or none. Duplicates are ignored.',
    example: ['019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a'],
  })
  @IsNotEmpty()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ACKNOWLEDGED_TOGETHER)
  transaction_uuids: string[];
}
