import type { ImapFlow, MailboxObject } from 'imapflow';
import { SelectionNotFound, Transient } from '../../core/source-errors';
import type { DocumentRef, SourcePage } from '../../core/source-document';
import { FetchRefused, FolderRefused } from '../mailbox/fetch-refused';
import type { ImapSelection } from '../mailbox/fields';
import type { MailboxPool } from '../mailbox/mailbox-pool';
import { readMail } from './mail-documents';
import { type Mail, MailReader } from './mail-reader';
import { scanPages } from './scan-pages';

/**
 * Where a folder was left: everything up to `lastUid` has been looked at while the folder was this one. `modSeq` is its
 * HIGHESTMODSEQ then (CONDSTORE, RFC 7162), where the server has it.
 */
type FolderPosition = { readonly uidValidity: string; readonly lastUid: number; readonly modSeq?: string };
export type ImapCursor = { readonly folders: { readonly [path: string]: FolderPosition } };

const DAY_MS = 86_400_000;

/**
 * Everything new in the chosen folders, a folder after the other, oldest UID first. A folder that is new, or whose
 * UIDVALIDITY changed, is scanned from `since` on (INTERNALDATE); the dedupe key absorbs what was seen before.
 * Throws `SelectionNotFound` after the other folders are done when one does not exist, likewise `FolderRefused` when the server
 * does not open it or reads none of its mails, and the pool's errors.
 */
export async function* scan(
  pool: MailboxPool,
  selection: ImapSelection,
  cursor: ImapCursor | null,
  since: Date | null,
): AsyncGenerator<SourcePage<ImapCursor>> {
  const positions = new Map<string, FolderPosition>();
  for (const folder of selection.folders) {
    const known = positionIn(cursor, folder);
    if (known) positions.set(folder, known);
  }
  let failure: SelectionNotFound | FolderRefused | undefined;
  for (const folder of selection.folders) {
    try {
      for await (const { documents, filtered, position } of scanFolder(
        pool,
        folder,
        positions.get(folder),
        since,
        selection,
      )) {
        positions.set(folder, position);
        yield { documents, filtered, cursor: { folders: Object.fromEntries(positions) } };
      }
    } catch (error) {
      if (!(error instanceof SelectionNotFound || error instanceof FolderRefused)) throw error;
      // One folder may have mails that cannot be read; where several do, it is the server.
      if (error instanceof FetchRefused && failure instanceof FetchRefused) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
}

interface FolderPage {
  readonly documents: DocumentRef[];
  readonly filtered: number;
  readonly position: FolderPosition;
}

async function* scanFolder(
  pool: MailboxPool,
  folder: string,
  position: FolderPosition | undefined,
  since: Date | null,
  selection: ImapSelection,
): AsyncGenerator<FolderPage> {
  if (position && (await isUnchanged(pool, folder, position))) return;
  const found = await pool.useFolder(
    folder,
    async (client, mailbox) => {
      const uidValidity = String(mailbox.uidValidity);
      const known = position?.uidValidity === uidValidity ? position.lastUid : 0;
      const uids = await newUids(client, mailbox, known, since);
      // UIDs below UIDNEXT that are not among them are too old or were deleted: no need to look again.
      const seen = Number.isSafeInteger(mailbox.uidNext) ? mailbox.uidNext - 1 : 0;
      const last = Math.max(known, seen, uids.at(-1) ?? 0);
      return { uidValidity, uids, isBeginning: known === 0, end: last, ...modSeqOf(mailbox) };
    },
    true,
  );
  const { uidValidity, uids, isBeginning, end, modSeq } = found;
  const whole: FolderPosition = { uidValidity, lastUid: end, ...(modSeq !== undefined && { modSeq }) };
  const read = async (batch: readonly number[]) => {
    const mails = await new MailReader(pool, folder, uidValidity).read(batch);
    // While the page before is fetched, this one waits as documents: of how its mails are made, nothing is kept.
    return documentsOf(mails, folder, uidValidity, since, selection);
  };
  const [first = [], ...others] = scanPages(uids, isBeginning);
  let reading = first.length > 0 ? read(first) : undefined;
  if (others.length > 0) pool.prepare(folder);
  for (let uidsRead = first; reading;) {
    const page = await reading;
    const following = others.shift();
    // Servers take their time to describe mails: the next ones are described while these are fetched.
    reading = following && read(following);
    reading?.catch(() => undefined); // thrown at its await
    yield {
      ...page,
      position: following ? { uidValidity, lastUid: uidsRead.at(-1)! } : whole,
    };
    uidsRead = following ?? [];
  }
  const moved = position?.uidValidity !== uidValidity || position.lastUid !== end;
  if (uids.length === 0 && moved) yield { documents: [], filtered: 0, position: whole };
}

/**
 * Whether nothing has come since, by one STATUS; a folder is only opened for what is new. HIGHESTMODSEQ grows with every flag,
 * and not every server keeps it for good: it decides only where there is no UIDNEXT. False also when STATUS is refused.
 */
async function isUnchanged(
  pool: MailboxPool,
  folder: string,
  { uidValidity, lastUid, modSeq }: FolderPosition,
): Promise<boolean> {
  const query = { uidNext: true, uidValidity: true, highestModseq: true };
  const status = await pool.use((client) => client.status(folder, query).catch(() => false as const));
  if (!status || String(status.uidValidity) !== uidValidity) return false;
  if (status.uidNext !== undefined) return status.uidNext === lastUid + 1;
  return modSeq !== undefined && modSeqOf(status).modSeq === modSeq;
}

/** RFC 7162 section 3.1.2: zero where a folder cannot tell. */
function modSeqOf({ highestModseq }: { highestModseq?: bigint }): { modSeq?: string } {
  return highestModseq ? { modSeq: String(highestModseq) } : {};
}

async function newUids(client: ImapFlow, mailbox: MailboxObject, known: number, since: Date | null): Promise<number[]> {
  if (mailbox.exists === 0 || mailbox.uidNext === known + 1) return [];
  // SINCE knows whole days in the zone each mail was received in (RFC 9051 section 6.4.4): a day more, cut exactly later.
  const from = since === null ? null : new Date(since.getTime() - DAY_MS);
  // `n:*` always names the newest mail, also one below n: it is dropped.
  const query = { uid: `${known + 1}:*`, ...(from && from.getTime() < Date.now() ? { since: from } : {}) };
  const uids = await client.search(query, { uid: true });
  // imapflow answers false to a refusal and to a broken connection alike.
  if (!Array.isArray(uids) && client.usable) throw new FolderRefused('IMAP SEARCH was refused.');
  if (!Array.isArray(uids)) throw new Transient('The connection broke during IMAP SEARCH.');
  return uids.filter((uid) => uid > known).sort((a, b) => a - b);
}

function documentsOf(
  mails: readonly Mail[],
  folder: string,
  uidValidity: string,
  since: Date | null,
  selection: ImapSelection,
): { documents: DocumentRef[]; filtered: number } {
  const documents: DocumentRef[] = [];
  let filtered = 0;
  for (const { message, names } of mails) {
    const received = new Date(message.internalDate ?? NaN);
    // A mail without a date is taken: better a document too many than one too few.
    if (since && received.getTime() < since.getTime()) continue;
    const read = readMail(message, names, { folder, uidValidity }, selection);
    if (read.passed) documents.push(...read.documents);
    else filtered += read.documents.length;
  }
  return { documents, filtered };
}

function positionIn(cursor: ImapCursor | null, folder: string): FolderPosition | undefined {
  const known = cursor?.folders && Object.hasOwn(cursor.folders, folder) ? cursor.folders[folder] : undefined;
  return known && typeof known.uidValidity === 'string' && Number.isSafeInteger(known.lastUid) ? known : undefined;
}
