import type { FetchMessageObject } from 'imapflow';
import { DocumentUnavailable } from '../../core/source-errors';
import { answered, FetchRefused } from '../mailbox/fetch-refused';
import { MailboxPool } from '../mailbox/mailbox-pool';
import type { ImapPartRef } from './part-ref';
import { sequenceSet } from '../mailbox/sequence-set';

const MAX_PARTS = 32;
/** Bytes a batch may hold in memory; a single part may be larger. */
const MAX_BYTES = 4 * 1024 * 1024;

/** So many that wait are worth a command beside those under way. */
const WORTH_A_COMMAND = 8;

/** When so many are refused and none comes, it is the server. */
const MAX_REFUSED = 3;

interface Wanted {
  readonly part: ImapPartRef;
  readonly done: (bytes: Buffer) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Reads small parts whole, many with one FETCH: what costs is the round trip, not the bytes. Parts that are asked for
 * while the connections are busy wait and go together; nothing is read that was not asked for. Each is handed on when it has
 * come: it is sealed and stored while the next ones are on their way.
 */
export class PartBatches {
  private readonly wanted: Wanted[] = [];
  private running = 0;

  constructor(private readonly pool: MailboxPool) {}

  /** The part's bytes, still encoded. Throws `DocumentUnavailable` when the mail is gone or cannot be read, and the pool's errors. */
  read(part: ImapPartRef): Promise<Buffer> {
    return new Promise<Buffer>((done, failed) => {
      this.wanted.push({ part, done, failed });
      if (!this.isWorthAnother()) return;
      this.running++;
      // Callers that ask in the same turn share a batch.
      setImmediate(() => void this.work());
    });
  }

  private async work(): Promise<void> {
    do {
      const batch = this.next();
      const missing = new Map(batch.map((wanted) => [wanted.part.uid, wanted]));
      try {
        if (batch.length > 0) await this.fetch(missing);
      } catch (error) {
        await this.fetchSingly([...missing.values()], missing.size < batch.length, error);
      }
      this.running--;
    } while (this.isWorthAnother() && ++this.running);
  }

  /** While others are on their way, few wait for more: each command costs time at both ends. */
  private isWorthAnother(): boolean {
    const fewest = this.running === 0 ? 1 : WORTH_A_COMMAND;
    return this.wanted.length >= fewest && this.running < MailboxPool.connections;
  }

  /** The oldest request, and others for the same section of other mails in the same folder. */
  private next(): Wanted[] {
    const [first] = this.wanted;
    if (!first) return [];
    const batch: Wanted[] = [];
    const uids = new Set<number>();
    let bytes = 0;
    for (let at = 0; at < this.wanted.length && batch.length < MAX_PARTS;) {
      const wanted = this.wanted[at] as Wanted;
      const fits = batch.length === 0 || bytes + wanted.part.size <= MAX_BYTES;
      // Each request has bytes of its own: they are decoded where they lie.
      if (fits && together(first.part, wanted.part) && !uids.has(wanted.part.uid)) {
        batch.push(wanted);
        uids.add(wanted.part.uid);
        bytes += wanted.part.size;
        this.wanted.splice(at, 1);
      } else {
        at++;
      }
    }
    return batch;
  }

  /** A mail that the server cannot read must not keep the others back: each is asked for alone, as long as any comes. */
  private async fetchSingly(left: Wanted[], anyCame: boolean, reason: unknown): Promise<void> {
    const refused: Wanted[] = [];
    while (left.length > 0 && reason instanceof FetchRefused && (anyCame || refused.length < MAX_REFUSED)) {
      const wanted = left.shift() as Wanted;
      try {
        await this.fetch(new Map([[wanted.part.uid, wanted]]));
        anyCame = true;
      } catch (error) {
        reason = error;
        refused.push(wanted);
      }
    }
    const isServer = !(reason instanceof FetchRefused) || left.length > 0;
    for (const { part, failed } of refused) failed(isServer ? reason : unreadableNow(part));
    for (const { failed } of left) failed(reason);
  }

  /** Removes from `missing` what has come. */
  private async fetch(missing: Map<number, Wanted>): Promise<void> {
    const [first] = missing.values();
    const { folder, section, uidValidity } = (first as Wanted).part;
    await this.pool.useFolder(folder, async (client, mailbox) => {
      assertSame(folder, String(mailbox.uidValidity), uidValidity);
      // When this is the second try, the first connection has brought some of them before it broke.
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
      await answered(folder, take());
    });
    for (const { part, failed } of missing.values()) failed(gone(part));
  }
}

/** The bytes of a section in an answer, if the mail still exists. */
export function sectionOf(mail: FetchMessageObject | undefined, section: string): Buffer | undefined {
  return mail?.bodyParts?.get(section);
}

export function gone({ folder, uid }: ImapPartRef): DocumentUnavailable {
  return new DocumentUnavailable(`IMAP folder ${folder}: the mail ${uid} or its attachment is no longer there.`, true);
}

/** The server reads other mails: what is the matter with this one may be mended. */
export function unreadableNow({ folder, uid }: ImapPartRef): DocumentUnavailable {
  return new DocumentUnavailable(`IMAP folder ${folder}: the server cannot read the mail ${uid}.`, false);
}

/** UIDs of a rebuilt folder mean other mails. The next scan finds the document again and brings its new place. */
export function assertSame(folder: string, actual: string, expected: string): void {
  if (actual !== expected) throw new DocumentUnavailable(`IMAP folder ${folder} was rebuilt.`, false);
}

function together(a: ImapPartRef, b: ImapPartRef): boolean {
  return a.folder === b.folder && a.section === b.section && a.uidValidity === b.uidValidity;
}
