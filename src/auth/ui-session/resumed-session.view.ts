import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { AuthorizationOutcome } from '../../connections/oauth/oauth-redirect';
import { apiEnum } from '../../platform/openapi/api-enum';

const OUTCOME = apiEnum<AuthorizationOutcome>('AuthorizationOutcome', 'The result of an authorization at a provider.', {
  AUTHORIZED: 'the user has consented, and the access works',
  AUTHORIZATION_DENIED: 'the user has not consented',
  AUTHORIZATION_EXPIRED: 'it took too long, or was restarted in the meantime',
  AUTHORIZATION_USED: 'the response was used already',
  AUTHORIZATION_INVALID: 'the response is not valid, or was received in another browser',
  AUTHORIZATION_FAILED: 'the provider did not complete it',
  ACCOUNT_MISMATCH: 'it is a different account than before',
  ACCOUNT_WITHOUT_ACCESS: 'the account has no access to the mailbox that the user has named',
  SCOPE_MISSING: 'the user has not granted all required permissions',
  PROVIDER_UNREACHABLE: 'the provider cannot be reached',
  INTEGRATION_NOT_AVAILABLE: 'the provider rejects the OAuth client; the operators have to fix it',
  INTERNAL_ERROR: 'the service has failed',
});

const RESULT = apiEnum<'success' | 'cancelled' | 'error'>('AuthorizationResult', 'The result in short.', {
  success: 'the connection is authorized',
  cancelled: 'the user has canceled',
  error: 'it did not succeed; `code` says why',
});

@ApiSchema({ description: 'The code with which the hosted UI resumes its session.' })
export class ResumeSessionDto {
  @ApiProperty({
    maxLength: 256,
    description: 'The value of `resume` in the URL. Valid once, for five minutes.',
    example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(256)
  code: string;
}

@ApiSchema({ description: 'The session of the hosted UI after the authorization at a provider, with the result.' })
export class ResumedSessionView {
  @ApiProperty({
    description:
      'After `AUTHORIZED` a new UI token for this connection only; otherwise the original token of the session, signed again.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhOWY2ZSJ9.c2lnbmF0dXJl',
  })
  token: string;

  @ApiProperty({
    format: 'date-time',
    description:
      'When the token expires. After `AUTHORIZED`: with the original token or in ten minutes, whichever is later, but at most one hour after the session began. Otherwise with the original token, which may have expired.',
    example: '2026-11-20T09:00:00.000Z',
  })
  expires_at: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The connection.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  connection_uuid: string;

  @ApiProperty({ ...RESULT, description: 'The result in short.', example: 'success' })
  result: 'success' | 'cancelled' | 'error';

  @ApiProperty({ ...OUTCOME, description: 'The result code; use it in your code.', example: 'AUTHORIZED' })
  code: AuthorizationOutcome;

  @ApiProperty({
    description: 'The same as a readable message, in the language of the request.',
    example: 'The account is connected.',
  })
  message: string;
}
