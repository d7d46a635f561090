import { Readable } from 'node:stream';
import type { MailAuthentication } from '../../../src/documents/metadata';
import type { Inbox, ReceivedMail } from '../../../src/integrations/core/inbox';

const UNCHECKED: MailAuthentication = { spf: 'NONE', dkim: 'NONE', dmarc: 'NONE' };

/** An inbox whose mails are in memory. */
export class MemoryInbox implements Inbox {
  /** The number up to which mails were reported as processed. */
  processed = 0;
  private readonly messages = new Map<number, Buffer>();
  private readonly mails: ReceivedMail[] = [];

  deliver(message: Buffer, authentication: MailAuthentication = UNCHECKED): number {
    const number = this.mails.length + 1;
    this.messages.set(number, message);
    this.mails.push({ number, size: message.length, receivedAt: new Date('2026-11-20T08:00:00.5Z'), authentication });
    return number;
  }

  /** Removes the content, as at the end of its retention. */
  purge(number: number): void {
    this.messages.delete(number);
  }

  mailsAfter(number: number, limit: number): Promise<readonly ReceivedMail[]> {
    return Promise.resolve(this.mails.filter((mail) => mail.number > number).slice(0, limit));
  }

  read(number: number, range?: { readonly start: number; readonly end: number }): Promise<Readable | null> {
    const message = this.messages.get(number);
    if (!message) return Promise.resolve(null);
    const bytes = range ? message.subarray(range.start, range.end + 1) : message;
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, n) =>
      Buffer.from(bytes.subarray(n * 1_000, (n + 1) * 1_000)),
    );
    return Promise.resolve(Readable.from(chunks, { objectMode: false }));
  }

  markProcessed(number: number): Promise<void> {
    this.processed = Math.max(this.processed, number);
    return Promise.resolve();
  }
}
