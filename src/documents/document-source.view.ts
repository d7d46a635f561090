import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { MailAuthenticationView } from './mail-authentication.view';

@ApiSchema({ name: 'DocumentSender', description: 'The visible sender of a mail, as far as the mail names it.' })
export class SenderView {
  @ApiPropertyOptional({ description: 'The name.', example: 'Example Ltd' })
  name?: string;

  @ApiPropertyOptional({ description: 'The e-mail address.', example: 'billing@example.com' })
  address?: string;
}

@ApiSchema({ name: 'DocumentSource', description: 'Where a document was found. Every key is optional.' })
export class SourceView {
  @ApiPropertyOptional({ description: 'The kind of source.', example: 'mail' })
  kind?: string;

  @ApiPropertyOptional({ description: 'The folder or path in the source.', example: 'INBOX' })
  path?: string;

  @ApiPropertyOptional({
    description: 'Its address in the source.',
    example: 'https://portal.example.com/documents/4711',
  })
  url?: string;

  @ApiPropertyOptional({ description: 'The subject of the mail.', example: 'Your invoice 4711' })
  subject?: string;

  @ApiPropertyOptional({ type: SenderView, description: 'The sender of the mail.' })
  sender?: SenderView;

  @ApiPropertyOptional({
    type: MailAuthenticationView,
    description: 'How the mail was authenticated; only for `mail_inbox`.',
  })
  authentication?: MailAuthenticationView;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When the mail was received.',
    example: '2026-11-02T07:15:00.000Z',
  })
  received_at?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When the file was last changed in the source.',
    example: '2026-11-02T07:15:00.000Z',
  })
  modified_at?: string;
}
