import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow';
import { HEADERS } from '../../shared/mail/parts/encoding/mail-headers';
import { Transient } from '../../core/source-errors';
import { awaitFetch, FetchRejected } from '../mailbox/fetch-rejected';
import type { MailboxPool } from '../mailbox/mailbox-pool';
import { decodePartNames } from '../mailbox/part-name-encoding';
import { sequenceSet } from '../mailbox/sequence-set';

/** Failed commands until a page is left for a later fetch. */
const MAX_FAILURES = 100;
const BASICS = { uid: true, internalDate: true, headers: HEADERS };

export interface Mail {
  readonly message: FetchMessageObject;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads the data that a listing needs from a page of mails. A mail that the server cannot read fails every command that includes
 * it: the page is bisected, so that it does not block the others. Such a mail is returned with its readable data, or with its UID
 * only.
 */
export class MailReader {
  private failures = 0;
  private readsOthers = false;

  constructor(
    private readonly pool: MailboxPool,
    private readonly folder: string,
    private readonly uidValidity: string,
  ) {}

  /** Returns the mails in order. Throws `FetchRejected` when the failure is not caused by single mails, and the pool's errors. */
  async read(uids: readonly number[]): Promise<Mail[]> {
    const mails = await this.attempt((client) => mailsAt(client, uids));
    if (mails) return mails;
    const [only] = uids;
    if (uids.length === 1) return this.withoutStructure(only!);
    const half = Math.ceil(uids.length / 2);
    return [...(await this.read(uids.slice(0, half))), ...(await this.read(uids.slice(half)))];
  }

  private async withoutStructure(uid: number): Promise<Mail[]> {
    const messages = await this.attempt((client) => answersTo(client, [uid], BASICS));
    return (messages ?? [{ uid, seq: 0 }]).map((message) => ({ message, names: new Map<string, string>() }));
  }

  /** Undefined when it was rejected although the server reads other mails. */
  private async attempt<T>(work: (client: ImapFlow) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.fetch(work);
    } catch (error) {
      if (!(error instanceof FetchRejected) || ++this.failures > MAX_FAILURES) throw error;
      this.readsOthers ||= await this.canReadAny();
      if (!this.readsOthers) throw error;
      return undefined;
    }
  }

  /** Whether the server reads any mail of the folder: the last, the first, or one in between. Reads content, because headers may be cached. */
  private async canReadAny(): Promise<boolean> {
    for (const place of [1, 0, 0.5]) {
      try {
        const query = { uid: true, source: { maxLength: 1 } };
        const numberAt = (client: ImapFlow) => Math.round(1 + place * ((client.mailbox || { exists: 1 }).exists - 1));
        const mails = await this.fetch((client) => client.fetchAll(String(numberAt(client)), query));
        if (mails.some(({ source }) => source)) return true;
      } catch (error) {
        if (!(error instanceof FetchRejected)) throw error;
      }
    }
    return false;
  }

  private fetch<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const { folder } = this;
    return this.pool.useFolder(folder, async (client, mailbox) => {
      if (String(mailbox.uidValidity) !== this.uidValidity) {
        throw new Transient(`IMAP folder ${folder} was rebuilt in the meantime.`);
      }
      return awaitFetch(folder, work(client));
    });
  }
}

/** Returns mails without structure when the server or the parser cannot represent it. */
async function mailsAt(client: ImapFlow, uids: readonly number[]): Promise<Mail[]> {
  const messages = await answersTo(client, uids, { ...BASICS, bodyStructure: true });
  const received = new Set(messages.map(({ uid }) => uid));
  const missing = uids.filter((uid) => !received.has(uid));
  if (missing.length > 0) messages.push(...(await answersTo(client, missing, BASICS)));
  const mails: Mail[] = [];
  for (const message of messages.sort((a, b) => a.uid - b.uid)) {
    mails.push({ message, names: await decodePartNames(client, message) });
  }
  return mails;
}

/** The responses to a request: a server may send flags of any mail unsolicited (RFC 9051 section 7). */
async function answersTo(
  client: ImapFlow,
  uids: readonly number[],
  query: FetchQueryObject,
): Promise<FetchMessageObject[]> {
  const answers = await client.fetchAll(sequenceSet(uids), query, { uid: true });
  return answers.filter(
    ({ uid, headers, bodyStructure, internalDate }) => uids.includes(uid) && (headers ?? bodyStructure ?? internalDate),
  );
}
