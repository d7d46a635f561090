import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { CLIENT_AUTH, STRATEGY } from '../environments/environment-enums';
import { CLIENT_AUTHS, type ClientAuth, STRATEGIES, type Strategy } from '../environments/setting-values';
import { GRACE_HOURS } from '../environments/setting-limits';
import { ExpectedVersionDto, IfPresent } from './expected-version.dto';

@ApiSchema({ description: 'How documents reach the client: replaces the former settings.' })
export class SetProvisioningDto extends ExpectedVersionDto {
  @ApiProperty({ ...STRATEGY, description: 'The strategy.', example: 'PUSH' })
  @IsNotEmpty()
  @IsIn(STRATEGIES)
  strategy: Strategy;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    nullable: true,
    maxLength: 2048,
    description:
      'The provisioning URL: https without user name, password and fragment (plain http for private addresses that the deployment allows). Required for `PUSH`; null or omitted: none. The stored URL as it is shown, without its `token`, means the stored URL.',
    example: 'https://api.example.com/documents',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  url?: string | null;

  @ApiProperty({ ...CLIENT_AUTH, description: 'The authentication of requests to the URL.', example: 'BEARER' })
  @IsNotEmpty()
  @IsIn(CLIENT_AUTHS)
  auth: ClientAuth;

  @ApiPropertyOptional({
    format: 'password',
    minLength: 1,
    maxLength: 4096,
    writeOnly: true,
    description:
      'The secret of the authentication, in one line. It is never shown again. May be omitted if one is stored for this authentication and the URL still has the same origin: it is kept.',
    example: 'c2VjcmV0LXRva2Vu',
  })
  @IfPresent()
  @IsNotEmpty()
  @IsString()
  @MaxLength(4096)
  @IsPlainText()
  secret?: string;
}

@ApiSchema({ description: 'The replacement of a signing secret.' })
export class RotateSigningSecretDto extends ExpectedVersionDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: GRACE_HOURS.max,
    default: GRACE_HOURS.default,
    description: 'Hours for which the former secret continues to sign. 0: it stops at once, after a leak.',
    example: 72,
  })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(GRACE_HOURS.max)
  grace_hours?: number;
}
