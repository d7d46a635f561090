import type { FetchMessageObject } from 'imapflow';
import { DocumentUnavailable } from '../../../core/source-errors';
import { awaitFetch, FetchRejected } from '../../mailbox/fetch-rejected';
import { MailboxPool } from '../../mailbox/mailbox-pool';
import type { ImapPartRef } from './part-ref';
import { sequenceSet } from '../../mailbox/sequence-set';

const MAX_PARTS = 32;
/** The maximum size of a batch in bytes; a single part may be larger. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Pending parts from which another concurrent command is worthwhile. */
const MIN_FOR_EXTRA_COMMAND = 8;

/** After this number of rejections without a success the server counts as the cause. */
const MAX_REFUSED = 3;

interface PendingPart {
  readonly part: ImapPartRef;
  readonly done: (bytes: Buffer) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Reads small parts completely, many with one FETCH, because the round trip costs more than the bytes. Parts that are requested
 * while the connections are busy are batched; nothing else is read. Each is returned as soon as it arrives, so that it is encrypted
 * and stored while the next ones are transferred. dataloader would return them only when the whole batch has arrived.
 */
export class PartBatches {
  private readonly pending: PendingPart[] = [];
  private running = 0;

  constructor(private readonly pool: MailboxPool) {}

  /** The encoded part. Throws `DocumentUnavailable` when the mail no longer exists or cannot be read, and the pool's errors. */
  read(part: ImapPartRef): Promise<Buffer> {
    return new Promise<Buffer>((done, failed) => {
      this.pending.push({ part, done, failed });
      if (!this.needsAnotherCommand()) return;
      this.running++;
      // Requests of the same event-loop tick share a batch.
      setImmediate(() => void this.runBatches());
    });
  }

  private async runBatches(): Promise<void> {
    do {
      const batch = this.next();
      const missing = new Map(batch.map((pending) => [pending.part.uid, pending]));
      try {
        if (batch.length > 0) await this.fetch(missing);
      } catch (error) {
        await this.fetchSingly([...missing.values()], missing.size < batch.length, error);
      }
      this.running--;
    } while (this.needsAnotherCommand() && ++this.running);
  }

  /** While commands are running, few parts wait for more, because each command has a cost at both ends. */
  private needsAnotherCommand(): boolean {
    const fewest = this.running === 0 ? 1 : MIN_FOR_EXTRA_COMMAND;
    return this.pending.length >= fewest && this.running < MailboxPool.connections;
  }

  /** The oldest request with others for the same section of other mails in the same folder. */
  private next(): PendingPart[] {
    const [first] = this.pending;
    if (!first) return [];
    const batch: PendingPart[] = [];
    const uids = new Set<number>();
    let bytes = 0;
    for (let at = 0; at < this.pending.length && batch.length < MAX_PARTS;) {
      const pending = this.pending[at] as PendingPart;
      const fits = batch.length === 0 || bytes + pending.part.size <= MAX_BYTES;
      // Each request needs its own buffer, because it is decoded in place.
      if (fits && isSameSection(first.part, pending.part) && !uids.has(pending.part.uid)) {
        batch.push(pending);
        uids.add(pending.part.uid);
        bytes += pending.part.size;
        this.pending.splice(at, 1);
      } else {
        at++;
      }
    }
    return batch;
  }

  /** A mail that the server cannot read must not block the others: each is requested alone, as long as any succeeds. */
  private async fetchSingly(left: PendingPart[], anyCame: boolean, reason: unknown): Promise<void> {
    const refused: PendingPart[] = [];
    while (left.length > 0 && reason instanceof FetchRejected && (anyCame || refused.length < MAX_REFUSED)) {
      const pending = left.shift() as PendingPart;
      try {
        await this.fetch(new Map([[pending.part.uid, pending]]));
        anyCame = true;
      } catch (error) {
        reason = error;
        refused.push(pending);
      }
    }
    const isServer = !(reason instanceof FetchRejected) || left.length > 0;
    for (const { part, failed } of refused) failed(isServer ? reason : unreadableNow(part));
    for (const { failed } of left) failed(reason);
  }

  /** Removes the received parts from `missing`. */
  private async fetch(missing: Map<number, PendingPart>): Promise<void> {
    const [first] = missing.values();
    const { folder, section, uidValidity } = (first as PendingPart).part;
    await this.pool.useFolder(folder, async (client, mailbox) => {
      assertSame(folder, String(mailbox.uidValidity), uidValidity);
      // On a retry, the first connection has returned some of them before it broke.
      const uids = [...missing.keys()].sort((a, b) => a - b);
      if (uids.length === 0) return;
      const query = { uid: true, bodyParts: [section] };
      const take = async () => {
        for await (const mail of client.fetch(sequenceSet(uids), query, { uid: true })) {
          const bytes = sectionOf(mail, section);
          if (!bytes) continue;
          missing.get(mail.uid)?.done(bytes);
          missing.delete(mail.uid);
        }
      };
      await awaitFetch(folder, take());
    });
    for (const { part, failed } of missing.values()) failed(gone(part));
  }
}

/** The content of a section in a response, if the mail still exists. */
export function sectionOf(mail: FetchMessageObject | undefined, section: string): Buffer | undefined {
  return mail?.bodyParts?.get(section);
}

export function gone({ folder, uid }: ImapPartRef): DocumentUnavailable {
  return new DocumentUnavailable(`IMAP folder ${folder}: the mail ${uid} or its attachment no longer exists.`, true);
}

/** Not permanent: the server reads other mails, and this one may be repaired. */
export function unreadableNow({ folder, uid }: ImapPartRef): DocumentUnavailable {
  return new DocumentUnavailable(`IMAP folder ${folder}: the server cannot read the mail ${uid}.`, false);
}

/** The UIDs of a rebuilt folder refer to other mails. The next scan finds the document again with its new UID. */
export function assertSame(folder: string, actual: string, expected: string): void {
  if (actual !== expected) throw new DocumentUnavailable(`IMAP folder ${folder} was rebuilt.`, false);
}

function isSameSection(a: ImapPartRef, b: ImapPartRef): boolean {
  return a.folder === b.folder && a.section === b.section && a.uidValidity === b.uidValidity;
}
