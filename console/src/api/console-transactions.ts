import type { Docfetch, Transaction } from '@docfetch/sdk';
import type { ListPage } from '../list/live-list';

export async function listConsoleTransactions(
  client: Docfetch,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<ListPage<Transaction>> {
  const { data } = await client.get<{ 200: ListPage<Transaction> }, unknown, true>({
    url: '/v1/console/transactions',
    query,
  });
  return data;
}
