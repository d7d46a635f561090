import {
  type Docfetch,
  type Event,
  type ListEventsData,
  listEvents,
  listTransactions,
  type ListTransactionsData,
  type Transaction,
} from '../../../typescript/dist/index.js';
import { followFeed, type FollowedPage, type FollowOptions } from './follow-feed';

/** Few, because the cursor is stored after each page. */
const PAGE_SIZE = 20;

type Filter<Data extends { query?: object }> = Omit<NonNullable<Data['query']>, 'cursor' | 'limit'>;
export type TransactionFilter = Filter<ListTransactionsData>;
export type EventFilter = Filter<ListEventsData>;

/** Documents in the order in which they were recorded. */
export function followTransactions(
  client: Docfetch,
  query: TransactionFilter,
  options: FollowOptions,
): AsyncGenerator<FollowedPage<Transaction>, void, undefined> {
  const { signal } = options;
  return followFeed(
    (cursor) => listTransactions({ client, signal, query: { ...query, cursor, limit: PAGE_SIZE } }),
    options,
  );
}

/** Events in the order in which they happened; messages in them are in English with `inEnglish`. */
export function followEvents(
  client: Docfetch,
  query: EventFilter,
  options: FollowOptions & { readonly inEnglish?: boolean },
): AsyncGenerator<FollowedPage<Event>, void, undefined> {
  const { signal, inEnglish } = options;
  const headers = inEnglish ? ({ Lang: 'en' } as const) : {};
  return followFeed(
    (cursor) => listEvents({ client, signal, headers, query: { ...query, cursor, limit: PAGE_SIZE } }),
    options,
  );
}
