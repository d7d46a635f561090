import type { PagedList } from '../../compile/lists';
import { PageGuard } from './page-guard';
import type { PageReader } from './pages';
import type { ProviderClient, Variables } from '../provider-client';

/** The maximum number of restarts when the list changes while it is read. */
const MAX_RESTARTS = 3;

export interface SteadyPage {
  readonly records: readonly unknown[];
  /** False when the list has changed and records may have been missed. */
  readonly isSteady: boolean;
}

/**
 * Reads a list by offset, in which records that are added or deleted meanwhile shift the others. Each page starts with the last
 * record of the previous one; when that differs, the list is read again.
 * @throws UnexpectedResponse for a provider that ignores the offset or returns only the beginning, and as `PageReader.read`
 */
export async function* steadyPages(
  client: ProviderClient,
  stream: PagedList,
  reader: PageReader,
  variables: Variables,
): AsyncGenerator<SteadyPage> {
  const idOf = (record: unknown) => stream.id(client.scope(record));
  let isSteady = true;
  let restarts = 0;
  let overlapId: unknown;
  let guard = new PageGuard(client, stream);
  for (let position = 0; ;) {
    const offset: number = overlapId === undefined ? 0 : position - 1;
    const { records, next } = await reader.read(variables, { offset });
    const holds = overlapId === undefined || (records.length > 0 && idOf(records[0]) === overlapId);
    if (!holds && restarts < MAX_RESTARTS) {
      restarts += 1;
      position = 0;
      overlapId = undefined;
      guard = new PageGuard(client, stream);
      continue;
    }
    isSteady &&= holds;
    const fresh = overlapId !== undefined && holds ? records.slice(1) : records;
    // In a list that has shifted, a page of one other record ends where the previous one did.
    guard.check({ records: fresh, next: holds ? next : null });
    yield { records: fresh, isSteady };
    guard.checkCeiling();
    position = offset + records.length;
    overlapId = records.length === 0 ? undefined : idOf(records.at(-1));
    if (next === null || fresh.length === 0) return;
  }
}
