import type { Connection, Docfetch, Identity } from '@docfetch/sdk';
import type { ListPage } from '../list/live-list';

export interface ConsoleConnection extends Connection {
  readonly identity: Pick<Identity, 'identity_uuid' | 'client_identifier' | 'display_name'>;
}

export async function listConsoleConnections(
  client: Docfetch,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<ListPage<ConsoleConnection>> {
  const { data } = await client.get<{ 200: ListPage<ConsoleConnection> }, unknown, true>({
    url: '/v1/console/connections',
    query,
  });
  return data;
}
