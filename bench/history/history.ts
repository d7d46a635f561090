import { join } from 'node:path';
import type { Client } from 'pg';
import { CreateEnvironment } from '../../src/identities/environments/create-environment';
import { MaintainPartitions } from '../../src/platform/history/maintain-partitions';
import { createPartitions } from '../../src/platform/history/create-partitions';
import { PurgeDocuments } from '../../src/provisioning/retention/purge-documents';
import { openAppContext, SetClock } from '../harness/app-context';
import { Database } from '../harness/data/database';
import { table } from '../harness/report';
import { CONNECTIONS, createTenant, writeDay } from './simulated-year';

const DAYS = 365;
const DAY_MS = 86_400_000;
/** Days after which sizes and times are reported. */
const REPORT_EVERY = 30;
const HISTORY = ['fetch', 'outbox', 'webhook_delivery', 'delivery_attempt'] as const;
const CONTENT = ['content', 'content_chunk'] as const;

/** The same events in one table without partitions, from which expired rows are deleted every day. */
const BASELINE = 'baseline_outbox';

interface Period {
  readonly day: number;
  /** MiB with indexes and TOAST, by table. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Milliseconds per day since the previous period. */
  readonly expire: number;
  readonly baselineExpire: number;
  readonly vacuum: number;
  readonly baselineVacuum: number;
  readonly partitions: number;
}

/** A year of 1,000 connections: what the history and the content occupy, and what removing and vacuuming cost. */
export async function history(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const { client } = database;
  const clock = new SetClock();
  const app = await openAppContext(database.url, clock);
  try {
    const start = Date.now() - DAYS * DAY_MS;
    clock.set(start);
    await createPartitions(async (text, given) => (await client.query<object>(text, given)).rows, clock.now());
    const given = {
      clientName: 'Bench',
      name: 'Bench',
      kind: 'TEST',
      returnOrigins: [],
      fetchIntervalMinutes: 1440,
    } as const;
    const { environment } = await app.get(CreateEnvironment, { strict: false }).create('bench', given);
    const tenant = await createTenant(client, environment.uuid);
    await createBaseline(client);
    const [partitions, purge] = [
      app.get(MaintainPartitions, { strict: false }),
      app.get(PurgeDocuments, { strict: false }),
    ];
    const periods: Period[] = [];
    const spent = { expire: 0, baselineExpire: 0, vacuum: 0, baselineVacuum: 0 };
    const timed = async (what: keyof typeof spent, work: () => Promise<unknown>) => {
      const began = performance.now();
      await work();
      spent[what] += performance.now() - began;
    };
    for (let day = 1; day <= DAYS; day++) {
      const at = new Date(start + day * DAY_MS);
      clock.set(at.getTime());
      await writeDay(client, tenant, at);
      await client.query(`insert into ${BASELINE} select * from outbox where created_at = $1`, [at]);
      await timed('expire', () => partitions.maintain());
      await timed('baselineExpire', () =>
        client.query(`delete from ${BASELINE} where created_at < $1`, [new Date(at.getTime() - 90 * DAY_MS)]),
      );
      while ((await purge.purgeBatch()).documents > 0);
      // As autovacuum does with its default thresholds in real time; here a day takes a second.
      await timed('vacuum', () => vacuumDirty(client));
      await timed('baselineVacuum', () => client.query(`vacuum ${BASELINE}`));
      if (day % REPORT_EVERY === 0) {
        const per = (ms: number) => ms / REPORT_EVERY;
        periods.push({
          day,
          sizes: await sizes(client),
          expire: per(spent.expire),
          baselineExpire: per(spent.baselineExpire),
          vacuum: per(spent.vacuum),
          baselineVacuum: per(spent.baselineVacuum),
          partitions: await countPartitions(client),
        });
        Object.assign(spent, { expire: 0, baselineExpire: 0, vacuum: 0, baselineVacuum: 0 });
        process.stdout.write(`${JSON.stringify(periods.at(-1))}\n`);
      }
    }
    return report(periods);
  } finally {
    await app.close();
  }
}

async function createBaseline(client: Client): Promise<void> {
  await client.query(`create table ${BASELINE} (like outbox including all)`);
  await client.query(`create index on ${BASELINE} (created_at)`);
}

/** Vacuums the tables of the history and the content with dead rows above autovacuum's threshold. */
async function vacuumDirty(client: Client): Promise<void> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables
     where relname ~ '^(fetch_unfinished|fetch_standard|outbox|webhook_delivery|delivery_attempt|content)' and n_dead_tup > 50 + 0.2 * n_live_tup`,
  );
  for (const { name } of rows) await client.query(`vacuum ${name}`);
}

async function sizes(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; mib: number }>(
    `select name, coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)),
       pg_total_relation_size(name::regclass))::float / 1048576 as mib
     from unnest($1::text[]) name`,
    [[...HISTORY, ...CONTENT, 'transaction', BASELINE]],
  );
  return Object.fromEntries(rows.map(({ name, mib }) => [name, mib]));
}

async function countPartitions(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from unnest($1::text[]) name, pg_partition_tree(name::regclass) where isleaf and level = 2`,
    [[...HISTORY]],
  );
  return rows[0]!.count;
}

function report(periods: readonly Period[]): string {
  const columns = [...HISTORY, ...CONTENT, 'transaction', BASELINE];
  const rows = periods.map(({ day, sizes: mib, partitions, expire, baselineExpire, vacuum, baselineVacuum }) => [
    String(day),
    ...columns.map((name) => mib[name]!.toFixed(1)),
    String(partitions),
    ...[expire, baselineExpire, vacuum, baselineVacuum].map((ms) => ms.toFixed(1)),
  ]);
  const headings = [
    'day',
    ...columns.map((name) => (name === BASELINE ? 'baseline' : name)),
    'partitions',
    ...['expire', 'baseline', 'vacuum', 'baseline'].map((name) => `${name}, ms`),
  ];
  const flat = periods.filter(({ day }) => day >= 120);
  const highest = (name: string) => Math.max(...flat.map((period) => period.sizes[name]!));
  const first = (name: string) => flat[0]!.sizes[name]!;
  const ratios = [...HISTORY, ...CONTENT].map((name) => `\`${name}\` ${(highest(name) / first(name)).toFixed(2)}`);
  return [
    'MiB with indexes at the end of the day; milliseconds per simulated day since the previous row.',
    table(headings, rows),
    `The largest size after day 120 as a multiple of the size at day 120: ${ratios.join(', ')}.`,
    `${CONNECTIONS.toLocaleString('en')} connections for ${DAYS} days, each day one fetch, one event, one webhook delivery, one attempt and one document of 4 KiB
for each, written with the same updates as by the service; retention class \`STANDARD\`, content kept for seven days. Partitions
are maintained and content is purged by the service's own code, once a simulated day. Vacuum runs on every table with more
dead rows than autovacuum's default threshold. The baseline is the same \`outbox\` as one table, from which rows older than 90
days are deleted and which is vacuumed every day: its times are for one table, the others for all. \`transaction\` is not history:
its rows stay until their connection is deleted.`,
  ].join('\n\n');
}
