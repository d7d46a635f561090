import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { UpdateEnvironmentDto } from '../../identities/environments-api/environment.dto';
import { ENVIRONMENT_KIND } from '../../identities/environments/environment-enums';
import { ENVIRONMENT_KINDS, type EnvironmentKind } from '../../identities/environments/setting-values';
import { IsPlainText } from '../../platform/http/input/is-plain-text';

const ORIGIN_LISTS = ['return_origins', 'browser_origins'] as const;

@ApiSchema({ description: 'An environment to create.' })
export class CreateEnvironmentDto extends PickType(UpdateEnvironmentDto, [...ORIGIN_LISTS, 'fetch_interval_minutes']) {
  @ApiProperty({ minLength: 1, maxLength: 255, description: 'The client application.', example: 'Acme' })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_name: string;

  @ApiProperty({ minLength: 1, maxLength: 255, description: 'Its name.', example: 'Production' })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  name: string;

  @ApiProperty({ ...ENVIRONMENT_KIND, description: 'What it is for. It cannot be changed later.', example: 'LIVE' })
  @IsNotEmpty()
  @IsIn(ENVIRONMENT_KINDS)
  kind: EnvironmentKind;
}
