import type { CompiledChanges } from '../../compile/lists';
import { type Listed, type Listing, newDocuments, type Progress } from '../listing';
import { wholeList } from '../paging/whole-list';

export type SnapshotProgress = Progress & {
  /** The start of the last complete listing. */
  readonly at: string;
  /** The start of the last complete listing of everything; null when there was none. */
  readonly wholeAt: string | null;
};

type Snapshot = Extract<CompiledChanges, { strategy: 'snapshot' }>;

/**
 * Lists without changes: everything is listed and compared with what is known; where the provider filters by date, only the recent
 * part in between.
 */
export async function* snapshot(
  listing: Listing,
  { recent, every }: Snapshot,
  before: SnapshotProgress | undefined,
): AsyncGenerator<Listed<SnapshotProgress>> {
  const { client, stream, variables, choice, start } = listing;
  const began = client.session.now();
  const wholeAt = before?.wholeAt ?? null;
  const isWhole =
    before === undefined ||
    wholeAt === null ||
    recent === undefined ||
    began.getTime() - Date.parse(wholeAt) >= every * 1000;
  const moments = [...(start === undefined ? [] : [start]), ...(isWhole ? [] : [Date.parse(before.at) / 1000])];
  const since = moments.length === 0 ? undefined : Math.max(0, Math.floor(Math.max(...moments)) - (recent ?? 0));
  const window = { since: recent === undefined ? undefined : since };
  // Until the listing is complete, the position is that of the previous one.
  const old: SnapshotProgress = before ?? { choice, at: began.toISOString(), wholeAt: null };
  let isSteady = true;
  for await (const page of wholeList(client, stream, { variables, window })) {
    isSteady = page.isSteady;
    const documents = await newDocuments(listing, page.records);
    if (documents.length > 0) yield { documents, progress: old };
  }
  const at = began.toISOString();
  const whole = !isWhole ? wholeAt : isSteady ? at : null;
  yield { documents: [], progress: { choice, at, wholeAt: whole } };
}
