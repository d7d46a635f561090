import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { UpdateEnvironmentDto } from '../../identities/environments-api/environment.dto';

@ApiSchema({ description: 'Changes to the theme: omitted members are those of the environment, null removes one.' })
export class PreviewThemeDto extends PickType(UpdateEnvironmentDto, [
  'theme_name',
  'theme_logo_url',
  'theme_primary_color',
]) {}

@ApiSchema({ name: 'ThemePreview', description: 'A link to a preview. Anyone who has it can open it.' })
export class ThemePreviewView {
  @ApiProperty({
    format: 'uri',
    description: 'The address of the preview.',
    example: 'https://docfetch.example.com/ui?preview=eyJ0aGVtZSI6e319.c2ln',
  })
  url: string;

  @ApiProperty({ format: 'date-time', description: 'When it expires.', example: '2026-11-27T08:30:00.000Z' })
  expires_at: string;
}
