import type { Client } from 'pg';
import { BenchClient, WITH_BENCH_CONNECTOR } from './client';
import type { Database } from './database';
import { Service } from '../processes/service';

const BATCH = 100_000;

/**
 * Creates one connection through the API in each of some environments with this interval and returns their uuids. They are the
 * templates of the copies and are not due.
 */
export async function modelConnections(
  database: Database,
  dataDir: string,
  intervalMinutes: number,
  environments: number,
): Promise<string[]> {
  await using service = await Service.start(dataDir, {
    DATABASE_URL: database.url,
    ROLE: 'api',
    ...WITH_BENCH_CONNECTOR,
  });
  const models: string[] = [];
  for (let number = 0; number < environments; number++) {
    const customer = await BenchClient.create(service);
    models.push(await customer.connect(0, 1_000));
  }
  await database.client.query('update environment set fetch_interval_minutes = $1', [intervalMinutes]);
  await database.client.query('update connection set next_fetch_at = null, immediate_fetch_at = null');
  await clearFetches(database.client);
  return models;
}

/** Adds copies of the template. They are due at random times within `seconds` from `from` on. */
export async function copyConnections(
  database: Client,
  model: string,
  count: number,
  from: Date,
  seconds: number,
): Promise<void> {
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'connection' and table_schema = 'public' and column_name not in ('uuid', 'next_fetch_at')`,
  );
  const { columns } = rows[0]!;
  for (let made = 0; made < count; made += BATCH) {
    await database.query(
      `insert into connection (uuid, next_fetch_at, ${columns})
       select uuidv7(), date_trunc('milliseconds', $3::timestamptz + random() * make_interval(secs => $4)), ${columns}
       from connection, generate_series(1, $2) where uuid = $1`,
      [model, Math.min(BATCH, count - made), from, seconds],
    );
  }
}

/** Deletes the claimed fetches and their leases, as if they had been executed. */
export async function clearFetches(database: Client): Promise<void> {
  await database.query('delete from "fetch"');
  await database.query('update connection set lease_token = null, leased_until = null where lease_token is not null');
}
