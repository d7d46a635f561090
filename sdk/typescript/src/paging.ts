import type { Docfetch } from './docfetch.js';
import { listTransactions } from './generated/sdk.gen.js';
import type { ListTransactionsData, Transaction } from './generated/types.gen.js';
import { pause } from './retry.js';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

/** A function of this package that answers a page. Each has options of its own, which {@link paginate} takes from it. */
type List = (options: never) => Promise<Page<unknown> | undefined>;
type OptionsOf<L extends List> = Parameters<L>[0];
type ItemOf<L extends List> = NonNullable<Awaited<ReturnType<L>>>['data'][number];

/**
 * Goes through all pages of a list: `for await (const identity of paginate(listIdentities, { client }))`.
 * @param list a function of this package that answers a page
 * @param options what that function takes; `query.limit` is the size of a page
 */
export async function* paginate<L extends List>(
  list: L,
  options: OptionsOf<L>,
): AsyncGenerator<ItemOf<L>, void, undefined> {
  const { query, ...rest } = options as { query?: { cursor?: string } };
  let cursor = query?.cursor;
  for (;;) {
    const asked = cursor === undefined ? query : { ...query, cursor };
    const page = await list({ ...rest, query: asked, throwOnError: true } as never);
    if (!page) return;
    yield* page.data as ItemOf<L>[];
    if (!page.meta.has_more || page.meta.next_cursor === null) return;
    cursor = page.meta.next_cursor;
  }
}

export interface PollOptions {
  readonly client: Docfetch;
  /** Where to go on: the cursor that was kept. Absent: from the very first; `now`: only what is new. */
  readonly cursor?: string;
  readonly query?: Omit<NonNullable<ListTransactionsData['query']>, 'cursor'>;
  /** How long to wait at the end of the feed before asking again. Default 30 000. */
  readonly intervalMs?: number;
  /** End when everything there is has been seen, instead of waiting for more. */
  readonly untilCaughtUp?: boolean;
  /** Ends the polling, without an error. */
  readonly signal?: AbortSignal;
}

export interface PolledPage {
  readonly transactions: readonly Transaction[];
  /** Keep it once the transactions are safe with you, and start from it next time: each is seen exactly once. */
  readonly cursor: string;
}

/**
 * Follows the feed of documents, oldest first (the strategy "polling"). A page may be empty when only the cursor has moved, as at
 * the start with `now`.
 * @throws DocfetchError, DocfetchConnectionError when retrying did not help; go on from the last cursor that you kept
 */
export async function* pollTransactions(options: PollOptions): AsyncGenerator<PolledPage, void, undefined> {
  const { client, signal, query, intervalMs = 30_000 } = options;
  let { cursor } = options;
  while (!signal?.aborted) {
    try {
      const asked = cursor === undefined ? query : { ...query, cursor };
      const page = await listTransactions({ client, signal, query: asked });
      const next = page.meta.poll_cursor;
      if (next !== cursor) yield { transactions: page.data, cursor: (cursor = next) };
      if (page.meta.has_more) continue;
      if (options.untilCaughtUp) return;
      await pause(intervalMs, signal);
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
  }
}
