import { UnexpectedResponse } from '../../../core/source-errors';
import type { CompiledChanges } from '../../compile/lists';
import { instantOf } from '../../language/expressions/instants';
import { type Listed, type Listing, newDocuments, type Progress } from '../listing';
import { PageGuard } from '../paging/page-guard';
import { PageReader, type Position } from '../paging/pages';
import { readyRecords } from '../ready-records';
import { type Waiting, WaitingRecords } from '../waiting-records';

export type UpdatedProgress = Progress & {
  /** The time of the last change (seconds) up to which all records are listed or waiting. */
  readonly until: number;
  /** The start of the last listing of everything that is complete; null when there was none. */
  readonly wholeAt: string | null;
  readonly waiting: Waiting;
};

type Updated = Extract<CompiledChanges, { strategy: 'updated_since' }>;

/**
 * Lists that are filtered by the time of the last change. The position is the latest change that was listed, by the provider's
 * clock; in a sorted list it advances with every page. Now and then everything is listed, where the manifest says so.
 */
export async function* updatedSince(
  listing: Listing,
  changes: Updated,
  before: UpdatedProgress | undefined,
): AsyncGenerator<Listed<UpdatedProgress>> {
  const { client, stream, variables, choice } = listing;
  const reader = new PageReader(client, stream, variables);
  const waiting = new WaitingRecords(client, stream, changes.at, before?.waiting);
  const began = client.session.now().toISOString();
  const isDue =
    changes.recheck !== undefined &&
    before?.wholeAt != null &&
    Date.parse(began) - Date.parse(before.wholeAt) >= changes.recheck * 1000;
  const isWhole = before === undefined || isDue;
  let until = before?.until ?? 0;
  const progress = (wholeAt: string | null): UpdatedProgress => ({
    choice,
    until: waiting.bound(until),
    wholeAt,
    waiting: waiting.kept,
  });
  const unfinished = before?.wholeAt ?? null;

  if (waiting.size > 0) {
    const documents = await newDocuments(listing, await readyRecords(listing, reader, waiting), waiting);
    if (documents.length > 0) yield { documents, progress: progress(unfinished) };
  }
  let latest = until;
  for await (const records of searches(
    listing,
    changes,
    reader,
    sinceOf(listing, changes, isWhole ? undefined : until),
  )) {
    for (const record of records) latest = Math.max(latest, timeOf(listing, changes, record) ?? 0);
    if (changes.sorted && !isDue) until = latest;
    const documents = await newDocuments(listing, records, waiting);
    if (documents.length > 0) yield { documents, progress: progress(unfinished) };
  }
  until = Math.max(until, latest);
  yield { documents: [], progress: progress(isWhole || before.wholeAt === null ? began : before.wholeAt) };
}

/** The beginning of the listing in seconds; undefined for everything. */
function sinceOf({ start }: Listing, { overlap, lead }: Updated, until: number | undefined): number | undefined {
  const first = start === undefined ? undefined : Math.max(0, start - lead);
  if (until === undefined || until === 0) return first;
  return Math.max(first ?? 0, Math.floor(until) - overlap);
}

/**
 * The pages of a list. A provider that returns only the beginning of a long list is searched again from the last record on.
 * @throws UnexpectedResponse when that, or a page, does not lead on
 */
async function* searches(
  listing: Listing,
  changes: Updated,
  reader: PageReader,
  from: number | undefined,
): AsyncGenerator<readonly unknown[]> {
  const { ceiling } = listing.stream.list;
  for (let since = from; ;) {
    let count = 0;
    let latest = since ?? 0;
    let next: Position | null = reader.first;
    const guard = new PageGuard(listing.client, listing.stream);
    while (next && (ceiling === undefined || count < ceiling)) {
      const page = await reader.read({ since }, next);
      guard.check(page);
      count += page.records.length;
      for (const record of page.records) latest = Math.max(latest, timeOf(listing, changes, record) ?? 0);
      yield page.records;
      next = page.next;
    }
    if (ceiling === undefined || count < ceiling) return;
    if (latest - changes.overlap <= (since ?? 0))
      throw new UnexpectedResponse(`${listing.client.provider.label} lists only ${ceiling} records of one time.`);
    since = Math.floor(latest) - changes.overlap;
  }
}

const timeOf = ({ client }: Listing, { at }: Updated, record: unknown): number | undefined =>
  instantOf(at(client.scope(record)), client.zone);
