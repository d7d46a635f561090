import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { AuthorizationOutcome } from '../../connections/oauth/oauth-redirect';
import { apiEnum } from '../../platform/openapi/api-enum';

const OUTCOME = apiEnum<AuthorizationOutcome>('AuthorizationOutcome', 'How an authorisation at a provider ended.', {
  AUTHORIZED: 'the user has agreed, and it works',
  AUTHORIZATION_DENIED: 'the user has not agreed',
  AUTHORIZATION_EXPIRED: 'it took too long, or was begun anew meanwhile',
  AUTHORIZATION_USED: 'the answer has been taken already',
  AUTHORIZATION_INVALID: 'the answer is not one of ours, or came in another browser',
  AUTHORIZATION_FAILED: 'the provider has not carried it through',
  ACCOUNT_MISMATCH: 'it is another account than before',
  SCOPE_MISSING: 'the user has not agreed to everything that is needed',
  PROVIDER_UNREACHABLE: 'the provider cannot be reached',
  INTEGRATION_NOT_AVAILABLE: 'the provider refuses our OAuth client; for the operators to mend',
  INTERNAL_ERROR: 'the service has failed',
});

const RESULT = apiEnum<'success' | 'cancelled' | 'error'>('AuthorizationResult', 'The same in short.', {
  success: 'the connection is authorised',
  cancelled: 'the user has decided against it',
  error: 'it did not succeed; `code` says why',
});

@ApiSchema({ description: 'With what the hosted UI comes back from a provider.' })
export class ResumeSessionDto {
  @ApiProperty({
    maxLength: 256,
    description: 'From `resume` in the address that the browser was sent to. Good once, for five minutes.',
    example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(256)
  code: string;
}

@ApiSchema({ description: 'The session of the hosted UI after the way to a provider, and what came of it.' })
export class ResumedSessionView {
  @ApiProperty({
    description:
      'After `AUTHORIZED` a new UI token, for this connection alone; otherwise the token with which the session began, signed again.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhOWY2ZSJ9.c2lnbmF0dXJl',
  })
  token: string;

  @ApiProperty({
    format: 'date-time',
    description:
      'When the token ends. After `AUTHORIZED`: with the one before or in ten minutes, whichever is later, but not more than an hour after the session began. Otherwise: with the one before, which may be over.',
    example: '2026-11-20T09:00:00.000Z',
  })
  expires_at: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The connection that it was about.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  connection_uuid: string;

  @ApiProperty({ ...RESULT, description: 'In short.', example: 'success' })
  result: 'success' | 'cancelled' | 'error';

  @ApiProperty({ ...OUTCOME, description: 'How it ended. Decide by this one.', example: 'AUTHORIZED' })
  code: AuthorizationOutcome;

  @ApiProperty({
    description: 'The same for people, in the language of the request.',
    example: 'The account is connected.',
  })
  message: string;
}
