import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { IdentityView } from '../identity.view';

@ApiSchema({ name: 'ConsoleSourceRequest', description: 'A source that an end user misses.' })
export class SourceRequestView extends PickType(IdentityView, [
  'identity_uuid',
  'client_identifier',
  'display_name',
] as const) {
  @ApiProperty({
    format: 'uuid',
    description: 'The event `source.requested`.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  event_uuid: string;

  @ApiProperty({ description: 'As the user wrote it.', example: 'Stadtwerke Musterstadt' })
  text: string;

  @ApiProperty({ format: 'date-time', description: 'When it was requested.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;
}
