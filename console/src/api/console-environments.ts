import type { Docfetch, Environment } from '@docfetch/sdk';

export type ConsoleEnvironment = Pick<Environment, 'environment_uuid' | 'client_name' | 'name' | 'kind'>;

/** The first environments whose client, name or uuid contains the text. */
export async function listConsoleEnvironments(client: Docfetch, q: string): Promise<readonly ConsoleEnvironment[]> {
  const { data } = await client.get<{ 200: { data: readonly ConsoleEnvironment[] } }, unknown, true>({
    url: '/v1/console/environments',
    query: { q: q || undefined, limit: 20 },
  });
  return data.data;
}
