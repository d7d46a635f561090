import type { Json } from '../../../core/source-document';
import { type Listed, type Listing, newDocuments, type Progress } from '../listing';
import { PageReader, type Position } from '../paging/pages';
import { readyRecords } from '../ready-records';
import { type Waiting, WaitingRecords } from '../waiting-records';

export type CursorProgress = Progress & {
  /** The provider's cursor after the last page. */
  readonly cursor: Json;
  readonly waiting: Waiting;
};

/** Lists of changes or events, which the cursor of the last page continues. */
export async function* storedCursor(
  listing: Listing,
  before: CursorProgress | undefined,
): AsyncGenerator<Listed<CursorProgress>> {
  const { client, stream, variables, choice, start } = listing;
  const reader = new PageReader(client, stream, variables);
  const waiting = new WaitingRecords(client, stream, () => 0, before?.waiting);
  let cursor: Json = before?.cursor ?? null;
  if (waiting.size > 0) {
    const documents = await newDocuments(listing, await readyRecords(listing, reader, waiting), waiting);
    if (documents.length > 0) yield { documents, progress: { choice, cursor, waiting: waiting.kept } };
  }
  const from: Position = cursor === null ? reader.first : { cursor };
  for await (const page of reader.readAll({ since: cursor === null ? start : undefined }, from)) {
    const documents = await newDocuments(listing, page.records, waiting);
    if (typeof page.cursor === 'string' || typeof page.cursor === 'number') cursor = page.cursor;
    if (documents.length > 0) yield { documents, progress: { choice, cursor, waiting: waiting.kept } };
  }
  yield { documents: [], progress: { choice, cursor, waiting: waiting.kept } };
}
