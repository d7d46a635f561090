import { instantOf } from '../../language/expressions/instants';
import type { CompiledChanges } from '../../compile/lists';
import { type Listed, type Listing, newDocuments, type Progress } from '../listing';
import { PageReader } from '../paging/pages';
import { readyRecords, waitingPages } from '../ready-records';
import { type Waiting, WaitingRecords } from '../waiting-records';

export type WindowsProgress = Progress & {
  /** All records created before this time (seconds) are listed or waiting. */
  readonly until: number;
  readonly waiting: Waiting;
};

/** 1 January 2000, before any of these providers existed. */
const BEGINNING = 946_684_800;

type Windows = Extract<CompiledChanges, { strategy: 'created_windows' }>;

/**
 * Lists that are filtered by creation time, newest first. A record that is not ready, such as a draft, is kept in the cursor until it
 * is, however long that takes.
 */
export async function* createdWindows(
  listing: Listing,
  changes: Windows,
  before: WindowsProgress | undefined,
): AsyncGenerator<Listed<WindowsProgress>> {
  const { client, stream, start, choice } = listing;
  const reader = new PageReader(client, stream, listing.variables);
  const first = start === undefined ? undefined : Math.max(0, start - changes.lead);
  const from = before ? Math.max(first ?? 0, before.until - changes.overlap) : first;
  const waiting = new WaitingRecords(client, stream, changes.at, before?.waiting);
  let until = before?.until ?? from ?? 0;
  const step = async (records: readonly unknown[]): Promise<Listed<WindowsProgress>> => {
    const documents = await newDocuments(listing, records, waiting);
    return { documents, progress: { choice, until: waiting.bound(until), waiting: waiting.kept } };
  };

  if (!before && first !== undefined && stream.waiting) {
    // Records created before the first listing's start may become ready after it.
    for await (const { records } of waitingPages(listing, reader)) await newDocuments(listing, records, waiting);
  } else if (before && waiting.size > 0) {
    const ready = await readyRecords(listing, reader, waiting);
    if (ready.length > 0) yield await step(ready);
  }
  for await (const window of ascendingWindows(reader, timeOf(listing, changes), from)) {
    if (window.until !== null) until = Math.max(until, window.until);
    const next = await step(window.records);
    if (next.documents.length > 0) yield next; // avoids a commit for each empty period
  }
  yield await step([]);
}

const timeOf =
  ({ client }: Listing, { at }: Windows) =>
  (record: unknown): number | undefined =>
    instantOf(at(client.scope(record)), client.zone);

interface Window {
  readonly records: readonly unknown[];
  /** All records created before this time (seconds) have been yielded; null while that is not certain. */
  readonly until: number | null;
}

/**
 * Reads a list that the provider returns newest first in ascending order: a time span with more than one page is halved. The yielded
 * records are complete up to some time, wherever the listing is interrupted. For a second with more than one page, all pages are
 * yielded before that time advances.
 */
async function* ascendingWindows(
  reader: PageReader,
  timeOf: (record: unknown) => number | undefined,
  from = BEGINNING,
): AsyncGenerator<Window> {
  const spans: { since: number; until?: number }[] = [{ since: from }];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const page = await reader.read(span);
    const newest = page.records.length === 0 ? span.since : (timeOf(page.records[0]) ?? span.since);
    const end: number = span.until ?? Math.floor(newest) + 1;
    if (!page.next) yield { records: page.records.toReversed(), until: end };
    else if (end - span.since > 1) {
      const middle = Math.floor((span.since + end) / 2);
      spans.push({ ...span, since: middle }, { since: span.since, until: middle });
    } else {
      yield { records: page.records, until: null };
      let last: readonly unknown[] = [];
      for await (const { records, next } of reader.readAll(span, page.next)) {
        if (next) yield { records, until: null };
        else last = records;
      }
      yield { records: last, until: end };
    }
  }
}
