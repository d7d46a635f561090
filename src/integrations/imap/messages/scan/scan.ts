import type { ImapFlow, MailboxObject } from 'imapflow';
import { SelectionNotFound, Transient } from '../../../core/source-errors';
import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../core/filter-reason';
import type { DocumentRef, SourcePage } from '../../../core/source-document';
import { FetchRejected, FolderRejected } from '../../mailbox/fetch-rejected';
import type { ImapSelection } from '../../mailbox/fields';
import type { MailboxPool } from '../../mailbox/mailbox-pool';
import { readMail } from '../mail-documents';
import { type Mail, MailReader } from '../mail-reader';
import { scanPages } from './scan-pages';

/**
 * The position in a folder: everything up to `lastUid` has been processed under this UIDVALIDITY. `modSeq` is the HIGHESTMODSEQ at
 * that time (CONDSTORE, RFC 7162), if the server has it.
 */
type FolderPosition = { readonly uidValidity: string; readonly lastUid: number; readonly modSeq?: string };
export type ImapCursor = { readonly folders: { readonly [path: string]: FolderPosition } };

const DAY_MS = 86_400_000;

/**
 * Lists the new mails of the selected folders, one folder after the other, oldest UID first. A folder that is new, or whose
 * UIDVALIDITY has changed, is scanned from `since` on (INTERNALDATE); the dedupe key absorbs repeats.
 * Throws `SelectionNotFound` for a missing folder and `FolderRejected` for one that the server does not open or read, both after all
 * others are processed, and the pool's errors.
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
  let failure: SelectionNotFound | FolderRejected | undefined;
  for (const folder of selection.folders) {
    try {
      for await (const { position, ...found } of scanFolder(pool, folder, positions.get(folder), since, selection)) {
        positions.set(folder, position);
        yield { ...found, cursor: { folders: Object.fromEntries(positions) } };
      }
    } catch (error) {
      if (!(error instanceof SelectionNotFound || error instanceof FolderRejected)) throw error;
      // Deleted or renamed since it was found: the next fetch lists the folders again.
      if (error instanceof SelectionNotFound && selection.found?.has(folder)) continue;
      // One folder may have unreadable mails; with several, the server is the cause.
      if (error instanceof FetchRejected && failure instanceof FetchRejected) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
}

interface FolderPage {
  readonly documents: DocumentRef[];
  readonly filteredBy: FilteredBy;
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
      // Other UIDs below UIDNEXT are too old or deleted and need not be searched again.
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
    // A page read ahead is kept as documents, without the structure of its mails.
    return documentsOf(mails, folder, uidValidity, since, selection);
  };
  const [first = [], ...others] = scanPages(uids, isBeginning);
  let reading = first.length > 0 ? read(first) : undefined;
  if (others.length > 0) pool.prepare(folder);
  for (let uidsRead = first; reading;) {
    const page = await reading;
    const following = others.shift();
    // Servers are slow to describe mails: the next page is read while the documents of this one are downloaded.
    reading = following && read(following);
    reading?.catch(() => undefined); // thrown at its await
    yield {
      ...page,
      position: following ? { uidValidity, lastUid: uidsRead.at(-1)! } : whole,
    };
    uidsRead = following ?? [];
  }
  const moved = position?.uidValidity !== uidValidity || position.lastUid !== end;
  if (uids.length === 0 && moved) yield { documents: [], filteredBy: NOTHING_FILTERED, position: whole };
}

/**
 * Whether the folder has no new mails, by one STATUS, so that only changed folders are opened. HIGHESTMODSEQ increases with every
 * flag change, and not every server persists it: it is used only without UIDNEXT. False when STATUS is rejected.
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

/** RFC 7162 section 3.1.2: zero when the folder does not support it. */
function modSeqOf({ highestModseq }: { highestModseq?: bigint }): { modSeq?: string } {
  return highestModseq ? { modSeq: String(highestModseq) } : {};
}

async function newUids(client: ImapFlow, mailbox: MailboxObject, known: number, since: Date | null): Promise<number[]> {
  if (mailbox.exists === 0 || mailbox.uidNext === known + 1) return [];
  // SINCE compares whole days in the time zone of each mail (RFC 9051 section 6.4.4): one more day is requested and filtered later.
  const from = since === null ? null : new Date(since.getTime() - DAY_MS);
  // `n:*` always includes the newest mail, even below n: it is dropped.
  const query = { uid: `${known + 1}:*`, ...(from && from.getTime() < Date.now() ? { since: from } : {}) };
  const uids = await client.search(query, { uid: true });
  // imapflow returns false for a rejection and for a broken connection.
  if (!Array.isArray(uids) && client.usable) throw new FolderRejected('IMAP SEARCH was refused.');
  if (!Array.isArray(uids)) throw new Transient('The connection broke during IMAP SEARCH.');
  return uids.filter((uid) => uid > known).sort((a, b) => a - b);
}

function documentsOf(
  mails: readonly Mail[],
  folder: string,
  uidValidity: string,
  since: Date | null,
  selection: ImapSelection,
): Omit<FolderPage, 'position'> {
  const read = mails.map(({ message, names }) => readMail(message, names, { folder, uidValidity }, selection, since));
  return {
    documents: read.flatMap(({ documents }) => documents),
    filteredBy: addFiltered(...read.map(({ filteredBy }) => filteredBy)),
  };
}

function positionIn(cursor: ImapCursor | null, folder: string): FolderPosition | undefined {
  const known = cursor?.folders && Object.hasOwn(cursor.folders, folder) ? cursor.folders[folder] : undefined;
  return known && typeof known.uidValidity === 'string' && Number.isSafeInteger(known.lastUid) ? known : undefined;
}
