import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { FIELDS } from './connection.dto';

@ApiSchema({ description: 'The input of the second step.' })
export class SaveStep2Dto {
  @ApiProperty({ ...FIELDS, example: { folders: ['INBOX'] } })
  @IsNotEmpty()
  @IsObject()
  fields: Record<string, unknown>;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    example: false,
    description: 'True for the update of an existing connection; false for a new one, which starts its first fetch.',
    default: false,
  })
  @IsOptional()
  @IsIn([true, false])
  isUpdateFlow?: boolean | null;
}

@ApiSchema({ description: 'The options to load.' })
export class MoreOptionsDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 2048,
    description: 'The option whose children are loaded; the first level if omitted.',
    example: 'INBOX/2026',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  parent_id?: string | null;
}
