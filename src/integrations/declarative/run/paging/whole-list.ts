import type { CompiledParents, PagedList } from '../../compile/lists';
import { instantOf } from '../../language/expressions/instants';
import type { ProviderClient, Variables } from '../provider-client';
import { PageReader } from './pages';
import { type SteadyPage, steadyPages } from './steady-pages';

/** What a list is read with: those of the stream, and `$since` of this listing. */
interface Given {
  readonly variables: Variables;
  readonly window: { readonly since: number | undefined };
}

/**
 * Every page of a list; of a list that belongs to the records of another one, those of each of them.
 * @throws UnexpectedResponse for a provider that ignores the paging or returns only the beginning, and as `PageReader.read`
 */
export async function* wholeList(client: ProviderClient, list: PagedList, given: Given): AsyncGenerator<SteadyPage> {
  const { of } = list.list;
  if (!of) {
    yield* flatList(client, list, given);
    return;
  }
  let isSteady = true;
  for await (const parents of flatList(client, of, given)) {
    for (const parent of parents.records) {
      if (!isOpened(client, of, parent, given)) continue;
      const variables = { ...given.variables, parent };
      for await (const page of flatList(client, list, { ...given, variables })) {
        isSteady &&= page.isSteady;
        const records = page.records.map((record) => withParent(record, of, parent));
        yield { records, isSteady: isSteady && parents.isSteady };
      }
    }
    // Without a parent that is opened, nothing else would tell it.
    yield { records: [], isSteady: isSteady && parents.isSteady };
  }
}

/** Records that are ids only stay as they are. */
const withParent = (record: unknown, { as }: CompiledParents, parent: unknown): unknown =>
  as !== undefined && record !== null && typeof record === 'object' ? { ...record, [as]: parent } : record;

async function* flatList(
  client: ProviderClient,
  list: PagedList,
  { variables, window }: Given,
): AsyncGenerator<SteadyPage> {
  const reader = new PageReader(client, list, variables);
  if (list.list.page.checked) yield* steadyPages(client, list, reader, window);
  else for await (const { records } of reader.readAll(window)) yield { records, isSteady: true };
}

/** Whether the list of a parent is read. One whose time is not known is. */
function isOpened(
  client: ProviderClient,
  { at, skip }: CompiledParents,
  parent: unknown,
  { variables, window: { since } }: Given,
): boolean {
  const scope = client.scope(parent, variables);
  if (skip?.(scope)) return false;
  const time = instantOf(at?.(scope), scope.zone);
  return since === undefined || time === undefined || time >= since;
}
