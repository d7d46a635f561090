import type { CountedOutcome } from '../reception/mail-metrics';

/** An SMTP reply with an enhanced status code (RFC 3463). Texts are English, as everywhere in SMTP. */
export class SmtpReply extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
    this.name = 'SmtpReply';
  }
}

/** The reply to a mail that is not accepted. 4xx: its server tries again; 5xx: its server tells the sender. */
export const REPLIES: Readonly<Record<Exclude<CountedOutcome, 'ACCEPTED' | 'INTERRUPTED'>, () => SmtpReply>> = {
  UNKNOWN_RECIPIENT: () => new SmtpReply(550, '5.1.1 No such address'),
  RECIPIENT_GONE: () => new SmtpReply(550, '5.1.1 No such address'),
  RECIPIENT_DISABLED: () => new SmtpReply(450, '4.2.1 This address is disabled, try again later'),
  RATE_LIMITED: () => new SmtpReply(450, '4.7.1 Too many mails, try again later'),
  TOO_LARGE: () => new SmtpReply(552, '5.3.4 The mail is too large'),
  SENDER_NOT_ALLOWED: () => new SmtpReply(550, '5.7.1 This address does not accept mails from this sender'),
  NOT_AUTHENTICATED: () => new SmtpReply(550, '5.7.26 The sender could not be authenticated (SPF, DKIM, DMARC)'),
  NOT_VERIFIABLE_NOW: () => new SmtpReply(451, '4.7.0 The sender cannot be verified now, try again later'),
  UNAVAILABLE: () => new SmtpReply(451, '4.3.0 Temporarily unavailable, try again later'),
};

export const OTHER_DOMAIN = () => new SmtpReply(550, '5.7.1 This server accepts mails for its own addresses only');
/** The other recipients get a separate transaction (RFC 5321 section 4.5.3.1.10). */
export const SEPARATE_TRANSACTION = () => new SmtpReply(452, '4.5.3 Send this recipient in a separate transaction');
export const TOO_MANY_UNKNOWN = () => new SmtpReply(421, '4.7.0 Too many unknown addresses');
export const TOO_MANY_CONNECTIONS = () => new SmtpReply(421, '4.7.0 Too many connections from your address');
