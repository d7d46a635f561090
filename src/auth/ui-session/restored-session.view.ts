import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

/** The claims of the longest `return_url` and `state`, encrypted and encoded, are shorter. */
const MAX_LENGTH = 16_384;

@ApiSchema({ description: 'The reference with which the hosted UI restores its session.' })
export class RestoreSessionDto {
  @ApiProperty({
    maxLength: MAX_LENGTH,
    description: 'The `reload_reference` of `GET /v1/ui/session`.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a.u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(MAX_LENGTH)
  reference: string;
}

@ApiSchema({ description: 'The session of the hosted UI after a reload.' })
export class RestoredSessionView {
  @ApiProperty({
    description: 'The UI token of the session, signed again.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhOWY2ZSJ9.c2lnbmF0dXJl',
  })
  token: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the token expires: the same time as before.',
    example: '2026-11-20T09:00:00.000Z',
  })
  expires_at: string;
}
