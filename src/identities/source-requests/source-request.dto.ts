import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { IsPlainText } from '../../platform/http/input/is-plain-text';

const MAX_LENGTH = 500;
/** One line with at least one visible character. */
const ONE_LINE = /^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

@ApiSchema({ description: 'A source that an end user misses.' })
export class RequestSourceDto {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_LENGTH,
    description: 'What the user wants to connect, in one line. White space at both ends is removed.',
    example: 'Stadtwerke Musterstadt',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(MAX_LENGTH)
  @IsPlainText()
  @Matches(ONE_LINE)
  text: string;
}
