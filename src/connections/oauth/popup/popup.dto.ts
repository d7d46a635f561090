import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

@ApiSchema({ description: 'The authorization that a popup is to continue.' })
export class CreatePopupSecretDto {
  @ApiProperty({
    maxLength: 2048,
    description: 'The `authorization_url` that was created with the same token.',
    example: 'https://docfetch.example.com/oauth/start?link=u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  authorization_url: string;
}

@ApiSchema({ description: 'A secret with which a popup of the hosted UI continues to a provider.' })
export class PopupSecretView {
  @ApiProperty({
    description: 'Valid once.',
    example: 'AZqfbixBfF6dChuG1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  readonly secret: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When it expires: one minute after it was created.',
    example: '2026-11-20T09:01:00.000Z',
  })
  readonly expires_at: string;
}

@ApiSchema({ description: 'The secret that a popup of the hosted UI has received from its opener.' })
export class RedeemPopupSecretDto {
  @ApiProperty({
    maxLength: 256,
    description: 'The `secret`.',
    example: 'AZqfbixBfF6dChuG1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(256)
  secret: string;
}

@ApiSchema({ description: 'Where a popup of the hosted UI continues.' })
export class PopupRedirectView {
  @ApiProperty({
    format: 'uri',
    description: 'The consent page of the provider, or the hosted UI with `result` and `code`.',
    example: 'https://accounts.example.com/authorize?response_type=code',
  })
  readonly url: string;
}
