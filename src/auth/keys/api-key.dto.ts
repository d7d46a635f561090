import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';

@ApiSchema({ description: 'An API key to issue.' })
export class IssueApiKeyDto {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it expires, in the future; null or omitted: not at all. A date means its beginning in UTC.',
    example: '2027-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  expires_at?: string | null;
}
