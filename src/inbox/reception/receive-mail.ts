import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { readHeaders } from '../../integrations/shared/mail/parts/encoding/mail-headers';
import { DocumentStore } from '../../documents/store/document-store';
import { KeyManager } from '../../platform/crypto/key-manager';
import { AuthenticateMail, type Envelope } from '../authentication/authenticate-mail';
import { judgeSender } from '../authentication/judge-sender';
import { CommitMail, type StoredMail } from './commit-mail';
import type { Recipient } from './find-recipient';

export type MailOutcome =
  'ACCEPTED' | 'RECIPIENT_GONE' | 'SENDER_NOT_ALLOWED' | 'NOT_AUTHENTICATED' | 'NOT_VERIFIABLE_NOW';

/**
 * Receives one mail: stores it encrypted, checks its sender, and records it for its recipients. `ACCEPTED` means that it is durable
 * and that their connections are due; nothing else is kept.
 */
@Injectable()
export class ReceiveMail {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly authentication: AuthenticateMail,
    private readonly commitMail: CommitMail,
  ) {}

  /**
   * `recipients` have the same rules. Rejects with the stream's error, the signal's reason, and while database or storage are
   * unavailable.
   */
  async receive(
    message: AsyncIterable<Buffer>,
    envelope: Envelope,
    recipients: readonly [Recipient, ...Recipient[]],
    signal: AbortSignal,
  ): Promise<MailOutcome> {
    const [first, ...others] = recipients;
    const original = await this.storeFor(first, message, signal);
    if (!original) return 'RECIPIENT_GONE';
    const start = Buffer.concat(original.content.start);
    const visible = readHeaders(headersIn(start));
    const from = visible.sender.address ?? visible.from;
    const sender = await this.authentication.check(this.read(original), envelope, from);
    const verdict = judgeSender(sender, envelope.from, first.rules);
    if (!verdict.isAccepted) {
      await this.store.remove(this.em.fork(), [original.content.uuid]);
      return verdict.reason;
    }
    const mails = [original];
    for (const recipient of others) {
      const copy = await this.storeFor(recipient, this.read(original), signal);
      if (copy) mails.push(copy);
    }
    const { forwardedBy } = verdict;
    const recorded = { ...sender.authentication, ...(forwardedBy !== undefined && { forwarded_by: forwardedBy }) };
    // After a failure, the content is removed with other content without a record.
    return (await this.commitMail.commit(mails, envelope, recorded)) > 0 ? 'ACCEPTED' : 'RECIPIENT_GONE';
  }

  /** Null when the connection has been deleted in the meantime, with its key. */
  private async storeFor(
    recipient: Recipient,
    message: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<StoredMail | null> {
    const key = (await this.keyManager.keys(this.em.fork(), [recipient.uuid])).get(recipient.uuid);
    if (!key) return null;
    try {
      return { recipient, key, content: await this.store.put(recipient, key, message, signal) };
    } catch (error) {
      if (await this.isGone(recipient)) return null;
      throw error;
    }
  }

  private async isGone({ uuid }: Recipient): Promise<boolean> {
    const keys = await this.keyManager.keys(this.em.fork(), [uuid]).catch(() => null);
    return keys !== null && !keys.has(uuid);
  }

  private read({ content, key }: StoredMail) {
    return this.store.read(content, key);
  }
}

/** The header block at the start of a message. */
function headersIn(start: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => start.indexOf(end)).filter((at) => at !== -1);
  return ends.length === 0 ? start : start.subarray(0, Math.min(...ends));
}
