import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
} from 'class-validator';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/access/key-scope';
import { KEY_SCOPE } from './api-key-scope';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';
import { parseIpRange } from '../../platform/network/addresses/ip-ranges';
import { MAX_ALLOWED_IPS } from './key-limits';

/** Every item of a list is a network or an address. */
const IsIpRanges = () =>
  ValidateBy({
    name: 'isIpRanges',
    validator: {
      validate: (value: unknown) =>
        !Array.isArray(value) || value.every((item) => typeof item !== 'string' || parseIpRange(item) !== null),
    },
  });

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

  @ApiPropertyOptional({
    ...KEY_SCOPE,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    nullable: true,
    description: 'What it may be used for; null or omitted: everything.',
    example: ['read', 'write'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(KEY_SCOPES, { each: true })
  scopes?: KeyScope[] | null;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_ALLOWED_IPS,
    uniqueItems: true,
    nullable: true,
    description:
      'The IP addresses and networks (CIDR) from which it may be used; null, omitted or empty: all. UI tokens are issued only to these addresses, and then work from every address. Behind proxies, the address of the client counts, not that of a trusted proxy.',
    example: ['203.0.113.0/24'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ALLOWED_IPS)
  @ArrayUnique()
  @IsString({ each: true })
  @IsIpRanges()
  allowed_ips?: string[] | null;
}
