import type { Session } from '../../core/integration';
import type { Json, SourcePage } from '../../core/source-document';
import { startOfDay } from '../../shared/tree-sync/selection/start-of-day';
import { chosenKinds } from '../../shared/accounting/kinds';
import type { CompiledProvider } from '../compile/provider';
import type { CompiledStream } from '../compile/streams';
import { createdWindows, type WindowsProgress } from './changes/created-windows';
import { months, type MonthsProgress } from './changes/months';
import { snapshot, type SnapshotProgress } from './changes/snapshot';
import { type CursorProgress, storedCursor } from './changes/stored-cursor';
import { updatedSince, type UpdatedProgress } from './changes/updated-since';
import type { Listed, Listing, Progress } from './listing';
import { ProviderClient } from './provider-client';
import { textOf } from '../language/expressions/evaluate';

/** The cursor of a listing: the progress by stream, or by stream and part. */
type ProviderCursor = { readonly [stream: string]: Progress };

/** Lists every selected stream in its order, each from its own progress on. */
export async function* listDocuments(
  provider: CompiledProvider,
  session: Session,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage> {
  session.signal.throwIfAborted();
  const client = new ProviderClient(provider, session);
  const kinds = chosenKinds(session.step2, provider.kinds);
  let cursor = (stored ?? {}) as ProviderCursor;
  for (const stream of provider.streams) {
    const selected = stream.kinds.filter((kind) => kinds.includes(kind));
    if (selected.length === 0) continue;
    for (const part of partsOf(stream, client)) {
      const name = part === undefined ? stream.name : `${stream.name}/${part}`;
      const listing: Listing = {
        client,
        stream,
        kinds: selected,
        part,
        variables: part === undefined ? {} : { [stream.per!]: part },
        choice: [startdate ?? '', ...selected].join(' '),
        startdate,
        start: startdate === null ? undefined : startOfDay(startdate, client.zone).getTime() / 1000,
      };
      const before = cursor[name]?.choice === listing.choice ? cursor[name] : undefined;
      for await (const { documents, progress } of listed(listing, before)) {
        session.signal.throwIfAborted();
        cursor = { ...cursor, [name]: progress };
        yield { documents, cursor };
      }
    }
  }
}

/** The values of the choice that a stream is listed for; a single part without one. */
function partsOf(stream: CompiledStream, { variables }: ProviderClient): readonly (string | undefined)[] {
  if (stream.per === undefined) return [undefined];
  return [variables[stream.per] ?? []].flat().map(textOf);
}

function listed(listing: Listing, before: Progress | undefined): AsyncGenerator<Listed<Progress>> {
  const { changes } = listing.stream;
  switch (changes.strategy) {
    case 'created_windows':
      return createdWindows(listing, changes, before as WindowsProgress | undefined);
    case 'updated_since':
      return updatedSince(listing, changes, before as UpdatedProgress | undefined);
    case 'snapshot':
      return snapshot(listing, changes, before as SnapshotProgress | undefined);
    case 'months':
      return months(listing, changes, before as MonthsProgress | undefined);
    case 'cursor':
      return storedCursor(listing, before as CursorProgress | undefined);
  }
}
