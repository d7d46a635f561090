import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import type { MailAuthentication, MailResult } from './metadata';

const MAIL_RESULT = apiEnum<MailResult>('MailAuthenticationResult', 'The result of one check (RFC 8601).', {
  PASS: 'the check confirms the domain',
  FAIL: 'the check contradicts the domain',
  SOFTFAIL: 'the check contradicts the domain, which does not ask for consequences',
  NEUTRAL: 'the domain makes no statement about the sending server, or the signature cannot be evaluated',
  NONE: 'the domain publishes nothing that could be checked, or the mail is not signed',
  POLICY: 'the signature does not meet the requirements, for example because its key is short',
  TEMPERROR: 'the name servers of the domain did not answer',
  PERMERROR: 'what the domain publishes is invalid',
});

@ApiSchema({
  name: 'MailAuthentication',
  description: 'How a mail that was received for an address of `mail_inbox` was authenticated.',
})
export class MailAuthenticationView implements MailAuthentication {
  @ApiProperty({ ...MAIL_RESULT, description: 'Whether the server may send for the envelope sender.', example: 'PASS' })
  spf: MailResult;

  @ApiPropertyOptional({ description: 'The domain that SPF confirms.', example: 'example.com' })
  spf_domain?: string;

  @ApiProperty({ ...MAIL_RESULT, description: 'The best result of its signatures.', example: 'PASS' })
  dkim: MailResult;

  @ApiPropertyOptional({ description: 'The domain whose signature is valid.', example: 'example.com' })
  dkim_domain?: string;

  @ApiProperty({
    ...MAIL_RESULT,
    description: 'Whether the domain of the visible sender is confirmed, according to its own policy.',
    example: 'PASS',
  })
  dmarc: MailResult;

  @ApiPropertyOptional({
    description: 'The forwarding mailbox of the connection through which it came.',
    example: 'accounting@example.com',
  })
  forwarded_by?: string;
}
