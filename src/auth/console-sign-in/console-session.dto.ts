import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { NeedsMember } from '../../platform/openapi/needs-member';
import { IsOptional, IsString, MaxLength } from 'class-validator';

@NeedsMember()
@ApiSchema({
  description: 'What opens a session of the console: exactly one of a link and an API key.',
})
export class OpenConsoleSessionDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 256,
    description: 'The secret after `#link=` in the address that the support team has created. It opens one session.',
    example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  link?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 256,
    description: 'An API key of your environment. The session has the role `DEVELOPER` and ends with the key.',
    example: 'df_test_u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  api_key?: string | null;
}
