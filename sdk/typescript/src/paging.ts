import type { Docfetch } from './docfetch.js';
import { listTransactions } from './generated/sdk.gen.js';
import type { ListTransactionsData, Transaction } from './generated/types.gen.js';
import { pause } from './retry.js';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

/** A function of this package that returns a page. {@link paginate} infers the options from it. */
type List = (options: never) => Promise<Page<unknown> | undefined>;
type OptionsOf<L extends List> = Parameters<L>[0];
type ItemOf<L extends List> = NonNullable<Awaited<ReturnType<L>>>['data'][number];

/**
 * Iterates over all pages of a list: `for await (const identity of paginate(listIdentities, { client }))`.
 * @param list a function of this package that returns a page
 * @param options the options of that function; `query.limit` is the page size
 */
export async function* paginate<L extends List>(
  list: L,
  options: OptionsOf<L>,
): AsyncGenerator<ItemOf<L>, void, undefined> {
  const { query, ...rest } = options as { query?: { cursor?: string } };
  let cursor = query?.cursor;
  for (;;) {
    const pageQuery = cursor === undefined ? query : { ...query, cursor };
    const page = await list({ ...rest, query: pageQuery, throwOnError: true } as never);
    if (!page) return;
    yield* page.data as ItemOf<L>[];
    if (!page.meta.has_more || page.meta.next_cursor === null) return;
    cursor = page.meta.next_cursor;
  }
}

export interface PollOptions {
  readonly client: Docfetch;
  /** The last saved cursor. Absent: from the first document; `now`: only new documents. */
  readonly cursor?: string;
  readonly query?: Omit<NonNullable<ListTransactionsData['query']>, 'cursor'>;
  /** Pause between two requests at the end of the feed. Default 30 000. */
  readonly intervalMs?: number;
  /** Stops at the end of the feed instead of waiting for new documents. */
  readonly untilCaughtUp?: boolean;
  /** Stops polling without an error. */
  readonly signal?: AbortSignal;
}

export interface PolledPage {
  readonly transactions: readonly Transaction[];
  /**
   * Save it after you have stored the transactions, and continue from it: you then miss none. After a crash in between, the last
   * page comes again, with the same `transaction_uuid`.
   */
  readonly cursor: string;
}

/**
 * Polls the feed of documents, oldest first (provisioning strategy `POLLING`). A page is empty if only the cursor has moved, for
 * example at the start with `now`.
 * @throws DocfetchError, DocfetchConnectionError when all retries failed; continue from the last cursor that you saved
 */
export async function* pollTransactions(options: PollOptions): AsyncGenerator<PolledPage, void, undefined> {
  const { client, signal, query, intervalMs = 30_000 } = options;
  let { cursor } = options;
  while (!signal?.aborted) {
    try {
      const pageQuery = cursor === undefined ? query : { ...query, cursor };
      const page = await listTransactions({ client, signal, query: pageQuery });
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
