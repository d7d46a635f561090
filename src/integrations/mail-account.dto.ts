import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsEmail, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../platform/http/input/is-plain-text';

@ApiSchema({ description: 'A mailbox to connect.' })
export class DiscoverMailAccountDto {
  @ApiProperty({ format: 'email', maxLength: 254, description: 'Its address.', example: 'anna@gmx.de' })
  @IsNotEmpty()
  @IsString()
  @MaxLength(254)
  @IsPlainText()
  @IsEmail()
  email: string;
}
