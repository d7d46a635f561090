import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'RotatedSigningSecret', description: 'A new signing secret. Only this response contains it.' })
export class RotatedSigningSecretView {
  @ApiProperty({
    description: 'The secret. It is not shown again.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  signing_secret: string;

  @ApiProperty({
    format: 'date-time',
    description:
      'Until then the former secret signs too: messages have both signatures, and return URLs are signed with the former secret.',
    example: '2026-11-23T08:30:00.000Z',
  })
  former_retires_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The `expected_updated_at` of the next change.',
    example: '2026-11-20T08:30:00.000Z',
  })
  updated_at: string;
}
