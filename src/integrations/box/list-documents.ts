import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound } from '../core/source-errors';
import { filterKnown } from '../shared/tree-sync/selection/dedupe-filter';
import { BoxApi } from './box-api';
import { BoxSelection } from './box-selection';
import { filesBelow, type BoxEntry } from './box-tree';
import type { BoxSession } from './fields';

/** The cursor of a listing. Known files are looked up by `session.findKnown` (ADR 14). */
export type BoxCursor = {
  /** The digest of the selection that it belongs to. */
  readonly selection: string;
  /** The start of the last complete listing (RFC 3339); null when there was none. */
  readonly syncedAt: string | null;
};

/**
 * Lists the selected folders completely each time. Box's event stream would be faster, but it may repeat, reorder and lose events,
 * and does not cover the contents of a folder that is moved or shared; a folder's version does not reflect changes below it either.
 * A listing costs one request per folder and thousand files, and known files are not downloaded.
 * Throws `SelectionNotFound` when a selected folder does not exist, after all others are processed.
 */
export async function* listDocuments(
  session: BoxSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<BoxCursor>> {
  session.signal.throwIfAborted();
  const began = session.now();
  const selection = new BoxSelection(session, startdate);
  const before = stored as BoxCursor | null;
  const cursor: BoxCursor =
    before?.selection === selection.digest ? before : { selection: selection.digest, syncedAt: null };
  const syncedAt = cursor.syncedAt === null ? null : Date.parse(cursor.syncedAt);
  const gone = new Set<string>();
  const listing = filesBelow(new BoxApi(session), selection.folders, gone);
  const filteredBy = yield* filterKnown(
    session,
    listing,
    (found: BoxEntry) => selection.judge(found, syncedAt),
    cursor,
  );
  session.signal.throwIfAborted();
  yield { documents: [], filteredBy, cursor: { selection: selection.digest, syncedAt: began.toISOString() } };
  if (gone.size > 0) throw new SelectionNotFound('A selected folder no longer exists.');
}
