import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound } from '../core/source-errors';
import { filterKnown } from '../shared/tree-sync/selection/dedupe-filter';
import { BoxApi } from './box-api';
import { BoxSelection } from './box-selection';
import { filesBelow, type BoxEntry } from './box-tree';
import type { BoxSession } from './fields';

/** What is remembered from one listing to the next. Which files have been read is asked of `session.known` (ADR 14). */
export type BoxCursor = {
  /** For which choice it holds. */
  readonly choice: string;
  /** When the last complete listing began (RFC 3339); null when there was none. */
  readonly walked: string | null;
};

/**
 * All that is in the chosen folders is listed each time. Box's stream of events would be quicker, but it may repeat, reorder and
 * forget, and says nothing of what lies in a folder that is moved or shared; nor does a folder's version tell whether something
 * below it has changed. A listing costs a request for a folder and a thousand files, and no file is opened that is known.
 * Throws `SelectionNotFound` when a chosen folder is not there, after all others are done.
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
  const cursor: BoxCursor = before?.choice === selection.digest ? before : { choice: selection.digest, walked: null };
  const walked = cursor.walked === null ? null : Date.parse(cursor.walked);
  const gone = new Set<string>();
  const listing = filesBelow(new BoxApi(session), selection.folders, gone);
  const filtered = yield* filterKnown(session, listing, (found: BoxEntry) => selection.judge(found, walked), cursor);
  session.signal.throwIfAborted();
  yield { documents: [], filtered, cursor: { choice: selection.digest, walked: began.toISOString() } };
  if (gone.size > 0) throw new SelectionNotFound('A chosen folder is no longer there.');
}
