import { ApiProperty } from '@nestjs/swagger';

/** A UI token (spec 2). */
export class UiTokenView {
  @ApiProperty({ description: 'A JWT, valid for 30 minutes. Send it as `X-TOKEN`.' })
  token: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:00:00.000Z' })
  expires_at: string;

  @ApiProperty({
    format: 'uri',
    description: 'Send the user here.',
    example: 'https://docfetch.example.com/ui?token=eyJ…',
  })
  ui_url: string;
}
