import { Client, type ClientConfig } from 'pg';

/** Runs `work` on a separate connection, before or without the pool. @throws when the database does not answer within 10 s */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  options: ClientConfig = {},
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...options });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
