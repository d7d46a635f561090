import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { FetchesModule } from '../fetches/fetches.module';
import { AuthenticateMail } from './authentication/authenticate-mail';
import { CommitMail } from './reception/commit-mail';
import { FindRecipient } from './reception/find-recipient';
import { MailLimits } from './reception/mail-limits';
import { MailMetrics } from './reception/mail-metrics';
import { ReceiveMail } from './reception/receive-mail';
import { PurgeMails } from './retention/purge-mails';
import { MailTransactions } from './smtp/mail-transactions';
import { SmtpListener } from './smtp/smtp-listener';

/**
 * Receives mails for the addresses of connections, from the SMTP session to the stored message. Does not know how documents are
 * read from a mail.
 */
@Module({
  imports: [DocumentsModule, FetchesModule],
  providers: [
    AuthenticateMail,
    FindRecipient,
    CommitMail,
    ReceiveMail,
    MailLimits,
    MailMetrics,
    MailTransactions,
    SmtpListener,
    PurgeMails,
  ],
})
export class InboxModule {}
