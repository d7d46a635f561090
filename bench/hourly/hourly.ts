import { join } from 'node:path';
import type { Client } from 'pg';
import { WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { copyConnections, modelConnections } from '../harness/data/many-connections';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { copyDataKeys } from './copy-data-keys';
import { addHistory } from './add-history';
import { report, type Sizes } from './hourly-report';
import { METRICS_TOKEN, type Observation, observe } from './observe';

/** Set `HOURLY_CONNECTIONS=50000` for a short run. */
const CONNECTIONS = Number(process.env.HOURLY_CONNECTIONS ?? 1_000_000);
const ENVIRONMENTS = 5;
/** Of the history that the last phase has. Set `HOURLY_HISTORY_HOURS` for another one: a day takes 15 to 25 minutes. */
const HISTORY_HOURS = Number(process.env.HOURLY_HISTORY_HOURS ?? 24);
const HOUR_SECONDS = 3_600;
/** `WORKER_CONCURRENCY` of the phases with the history; the first is the default, which the others have. */
const PLACES = [10, 25, 50];
/** Time to create the connections before the first of them becomes due. */
const LEAD_SECONDS = 30 + CONNECTIONS / 2_500;
/** The worker compiles its code, and connections that became due before it started are fetched. */
const WARM_UP_MS = 600_000;
const STEADY_SECONDS = 240;
const FULL_SECONDS = 120;

/**
 * A million connections that are fetched every hour: an hour's rate for some minutes, then everything at once, without and with the
 * history of a day, the latter also with more fetches at a time.
 */
export async function hourly(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const { client } = database;
  await makeConnections(database, dataDir);
  const sizes: Sizes[] = [await sizesOf(client)];
  const settings = { DATABASE_URL: database.url, ROLE: 'worker', METRICS_TOKEN, ...WITH_BENCH_CONNECTOR };
  const observations: Observation[] = [];
  const note = async (worker: Service, seconds: number) => {
    observations.push(await observe(database, worker, seconds));
    process.stdout.write(`${JSON.stringify(observations.at(-1))}\n`);
  };
  {
    await using worker = await Service.start(dataDir, settings);
    await until('the worker is on time', async () => ((await late(client)) ? undefined : true), WARM_UP_MS);
    await note(worker, STEADY_SECONDS);
    await makeAllDue(client);
    await note(worker, FULL_SECONDS);
  }
  const began = performance.now();
  const history = await addHistory(client, HISTORY_HOURS);
  sizes.push(await sizesOf(client));
  process.stdout.write(`${history} fetches of the history in ${Math.round(performance.now() - began)} ms\n`);
  await client.query('vacuum analyze');
  for (const places of PLACES) {
    await using worker = await Service.start(dataDir, { ...settings, WORKER_CONCURRENCY: String(places) });
    await makeAllDue(client);
    await note(worker, FULL_SECONDS);
  }
  return report(
    {
      connections: CONNECTIONS,
      environments: ENVIRONMENTS,
      hours: HISTORY_HOURS,
      history,
      places: PLACES,
    },
    observations,
    sizes,
  );
}

/** The same number of connections in each of the environments, due at random times within an hour that begins soon. */
async function makeConnections(database: Database, dataDir: string): Promise<void> {
  const models = await modelConnections(database, dataDir, 60, ENVIRONMENTS);
  const from = new Date(Date.now() + LEAD_SECONDS * 1000);
  for (const model of models) {
    await copyConnections(database.client, model, CONNECTIONS / ENVIRONMENTS, from, HOUR_SECONDS);
    await copyDataKeys(database.client, dataDir, model);
  }
  await database.client.query('vacuum analyze');
}

/** Whether a connection is due since more than a second, or none has been fetched so far. */
async function late(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ late: boolean }>(
    `select not exists (select from "fetch" where finished_at is not null)
       or exists (select from connection where next_fetch_at < now() - interval '1 second' and lease_token is null) as late`,
  );
  return rows[0]!.late;
}

async function makeAllDue(client: Client): Promise<void> {
  await client.query('update connection set next_fetch_at = now() where next_fetch_at is not null');
  await client.query('vacuum analyze connection');
}

/** MiB with indexes and TOAST. */
async function sizesOf(client: Client): Promise<Sizes> {
  const { rows } = await client.query<Sizes>(
    `select sum(size) filter (where root in ('connection', 'connection_term', 'data_key'))::float8 / 1048576 as connections,
       sum(size) filter (where root = 'fetch')::float8 / 1048576 as fetches,
       sum(size) filter (where root = 'outbox')::float8 / 1048576 as events
     from (values ('connection'), ('connection_term'), ('data_key'), ('fetch'), ('outbox')) tables (root),
       lateral (select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size(root::regclass)) as size
         from pg_partition_tree(root::regclass) where isleaf) sized`,
  );
  return rows[0]!;
}
