import { Injectable, Logger } from '@nestjs/common';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { isEnvironmentFenced } from '../../platform/errors/environment-fence';
import { Settings } from '../../platform/config/settings';
import { FindRecipient, haveSameRules, type Recipient } from '../reception/find-recipient';
import { MailLimits } from '../reception/mail-limits';
import { type CountedOutcome, MailMetrics } from '../reception/mail-metrics';
import { ReceiveMail } from '../reception/receive-mail';
import { OTHER_DOMAIN, REPLIES, SEPARATE_TRANSACTION, type SmtpReply, TOO_MANY_UNKNOWN } from './smtp-reply';

const MAX_UNKNOWN_RECIPIENTS = 5;
/** Every recipient gets an encrypted copy. */
const MAX_RECIPIENTS = 20;

/** What a session has sent so far. */
interface SessionState {
  recipients: Recipient[];
  unknownRecipients: number;
}

/** Answers the commands of SMTP sessions. Nothing is ever sent to anybody: what is not accepted is refused in the session. */
@Injectable()
export class MailTransactions {
  private readonly logger = new Logger(MailTransactions.name);
  private readonly sessions = new WeakMap<SMTPServerSession, SessionState>();

  constructor(
    private readonly recipients: FindRecipient,
    private readonly limits: MailLimits,
    private readonly receiveMail: ReceiveMail,
    private readonly metrics: MailMetrics,
    private readonly settings: Settings,
  ) {}

  /** MAIL FROM. @throws SmtpReply */
  async begin(session: SMTPServerSession): Promise<void> {
    this.stateOf(session).recipients = [];
    const isAdmitted = await this.available(() => this.limits.admitsSource(session.remoteAddress));
    if (!isAdmitted) throw this.refuse('RATE_LIMITED');
  }

  /** RCPT TO: only addresses that exist are accepted. @throws SmtpReply */
  async addRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const state = this.stateOf(session);
    if (state.unknownRecipients >= MAX_UNKNOWN_RECIPIENTS) throw TOO_MANY_UNKNOWN();
    if (!address.toLowerCase().endsWith(`@${this.settings.inboxDomain}`)) {
      state.unknownRecipients++;
      this.metrics.count('UNKNOWN_RECIPIENT');
      throw OTHER_DOMAIN();
    }
    const recipient = await this.available(() => this.recipients.find(address));
    if (!recipient) {
      state.unknownRecipients++;
      throw this.refuse('UNKNOWN_RECIPIENT');
    }
    if (!recipient.isActive) throw this.refuse('RECIPIENT_DISABLED');
    const [first] = state.recipients;
    if (state.recipients.some(({ uuid }) => uuid === recipient.uuid)) return;
    if (first && (!haveSameRules(first, recipient) || state.recipients.length >= MAX_RECIPIENTS)) {
      throw SEPARATE_TRANSACTION();
    }
    const isAdmitted = await this.available(() => this.limits.admitsRecipient(recipient.uuid));
    if (!isAdmitted) throw this.refuse('RATE_LIMITED');
    state.recipients.push(recipient);
  }

  /** DATA. Resolves when the mail is durable. @throws SmtpReply, and the stream's error when the client is gone */
  async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const [first, ...others] = this.stateOf(session).recipients;
    if (!first) throw this.refuse('UNKNOWN_RECIPIENT');
    const startedAt = performance.now();
    const limit = this.settings.mailLimitMib * 1024 * 1024;
    const { mailFrom } = session.envelope;
    const envelope = {
      from: mailFrom ? mailFrom.address : '',
      client: session.remoteAddress,
      helo: session.hostNameAppearsAs,
    };
    const abort = new AbortController();
    let outcome: CountedOutcome;
    try {
      outcome = await this.receiveMail.receive(limited(stream, limit), envelope, [first, ...others], abort.signal);
    } catch (error) {
      outcome = this.outcomeOf(error, stream);
    } finally {
      stream.resume(); // the rest of a mail that is refused
    }
    this.metrics.received(outcome, stream.byteLength, (performance.now() - startedAt) / 1000);
    this.log(outcome, stream.byteLength, first);
    if (outcome === 'INTERRUPTED') throw new Error('The client is gone.');
    if (outcome !== 'ACCEPTED') throw REPLIES[outcome]();
  }

  private outcomeOf(error: unknown, stream: SMTPServerDataStream): CountedOutcome {
    if (error instanceof TooLarge) return 'TOO_LARGE';
    if (stream.destroyed && !stream.readableEnded) return 'INTERRUPTED';
    if (!isUnavailable(error) && !isEnvironmentFenced(error)) this.logger.error(error, 'A mail could not be received');
    return 'UNAVAILABLE';
  }

  /** Without addresses, which are personal data. */
  private log(outcome: CountedOutcome, bytes: number, { uuid }: Recipient): void {
    this.logger.log({ connection_uuid: uuid, outcome, bytes }, 'A mail arrived');
  }

  private refuse(outcome: Exclude<CountedOutcome, 'ACCEPTED' | 'INTERRUPTED'>): SmtpReply {
    this.metrics.count(outcome);
    return REPLIES[outcome]();
  }

  /** While the database is away, or the environment is moved, mails are deferred. */
  private async available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) && !isEnvironmentFenced(error))
        this.logger.error(error, 'A recipient could not be checked');
      throw this.refuse('UNAVAILABLE');
    }
  }

  private stateOf(session: SMTPServerSession): SessionState {
    const known = this.sessions.get(session);
    if (known) return known;
    const state: SessionState = { recipients: [], unknownRecipients: 0 };
    this.sessions.set(session, state);
    return state;
  }
}

class TooLarge extends Error {}

/** Leaves the stream open when it is too large or no longer wanted: its rest has to be read before the answer. */
async function* limited(stream: SMTPServerDataStream, limit: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) throw new TooLarge();
    yield chunk;
  }
}
