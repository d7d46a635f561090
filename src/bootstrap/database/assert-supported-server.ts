import type { Client } from 'pg';

/** The oldest version with the collation `pg_c_utf8`, which the schema names. */
const OLDEST_VERSION = 17;

/** @throws Error in one sentence when the schema cannot be created on this server or in this database */
export async function assertSupportedServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number; encoding: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            current_setting('server_encoding') as encoding`,
  );
  const { version, number, encoding } = rows[0]!;
  if (number < OLDEST_VERSION * 10_000) {
    throw new Error(`the database runs on PostgreSQL ${version}. Docfetch needs ${OLDEST_VERSION} or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `the database has the encoding ${encoding}. Create it with UTF8: "create database … encoding 'UTF8' template template0".`,
    );
  }
}
