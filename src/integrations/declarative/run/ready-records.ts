import type { Listing } from './listing';
import type { Page, PageReader } from './paging/pages';
import { currentRecord } from './details';
import { idOf } from './references';
import type { WaitingRecords } from './waiting-records';
import { textOf } from '../language/expressions/evaluate';

/** The pages of the records that are not ready. */
export function waitingPages({ client, stream, variables }: Listing, reader: PageReader): AsyncGenerator<Page> {
  const more = (stream.waiting ?? []).map(([name, value]) => [name, textOf(value(client.scope(null, variables)))]);
  return reader.readAll({}, reader.first, Object.fromEntries(more) as Record<string, string>);
}

/**
 * The waiting records that are ready now; deleted ones are forgotten, and those that cannot be read at present still wait. Where the provider can list those that still wait, only the
 * others are requested singly.
 */
export async function readyRecords(listing: Listing, reader: PageReader, waiting: WaitingRecords): Promise<unknown[]> {
  const { client, stream, variables } = listing;
  if (!stream.record) return [];
  const notReady = new Set<string>();
  if (stream.waiting) {
    for await (const { records } of waitingPages(listing, reader))
      for (const record of records) notReady.add(idOf(client, stream, record));
  }
  const ready: unknown[] = [];
  for (const id of Object.keys(waiting.kept)) {
    if (notReady.has(id)) continue;
    const record = await currentRecord(client, stream, id, variables);
    if (record === null) waiting.forget(id);
    else if (record !== undefined && (stream.ready?.(client.scope(record, variables)) ?? true)) ready.push(record);
  }
  return ready;
}
