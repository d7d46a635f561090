import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'A UI token and the URL of the hosted UI.' })
export class UiTokenView {
  @ApiProperty({
    description: 'A JWT, valid for 30 minutes. Send it as `X-TOKEN`.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhOWY2ZSJ9.c2lnbmF0dXJl',
  })
  token: string;

  @ApiProperty({ format: 'date-time', description: 'When the token expires.', example: '2026-11-20T09:00:00.000Z' })
  expires_at: string;

  @ApiProperty({
    format: 'uri',
    description: 'The URL of the hosted UI with the token: send the user there.',
    example: 'https://docfetch.example.com/ui?token=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhOWY2ZSJ9.c2lnbmF0dXJl',
  })
  ui_url: string;
}
