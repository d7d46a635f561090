import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';
import { ListTransactionsQuery } from '../feed/transaction.dto';

export class SearchTransactionsQuery extends PickType(ListTransactionsQuery, [
  'limit',
  'cursor',
  'status',
  'document_type',
  'connection_uuid',
  'identity_uuid',
] as const) {
  @ApiPropertyOptional({
    maxLength: 200,
    description:
      'A part of the file name, of the id in the source, of the number of the invoice or of the name of its supplier, without regard to case; or the uuid of the transaction.',
    example: 'RE-2026-0815',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @IsPlainText()
  q?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only documents fetched at or after this time; a date means its beginning in UTC.',
    example: '2026-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only documents fetched before this time.',
    example: '2026-11-21T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  to?: string;
}
