import { join } from 'node:path';
import { type Client } from 'pg';
import { ClaimFetches } from '../../src/fetches/scheduling/claim-fetches';
import { Database } from '../harness/data/database';
import { clearFetches, copyConnections, modelConnections } from '../harness/data/many-connections';
import { median, table } from '../harness/report';
import { openAppContext, SetClock } from '../harness/app-context';
import { statementsOf } from './statements-of';

/** Set `DUE_SCAN_CONNECTIONS=1000000` for a million, which takes several minutes to create. */
const LARGEST = Number(process.env.DUE_SCAN_CONNECTIONS ?? 100_000);
const SIZES = [10_000, 100_000, 1_000_000].filter((size) => size <= LARGEST);
const SHARE = 0.001;
/** The same number of due connections at every size, to show the cost of size alone. */
const SAME = 1_000;
const ROUNDS = 9;
/** The free places of a worker that claims. */
const PLACES = 200;
const DAY_SECONDS = 86_400;

interface ScanResult {
  readonly size: number;
  readonly idle: number;
  readonly share: number;
  readonly same: number;
}

/** The cost of claiming what is due, by the number of connections and of due connections. */
export async function dueScan(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const { client } = database;
  const [model] = await modelConnections(database, dataDir, DAY_SECONDS / 60, 1);
  const clock = new SetClock();
  const app = await openAppContext(database.url, clock);
  try {
    const schedule = app.get(ClaimFetches);
    const found: ScanResult[] = [];
    for (const size of SIZES) {
      const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from connection');
      // At least an hour away: no connection becomes due while this runs.
      const soon = new Date(clock.now().getTime() + 3_600_000);
      await copyConnections(client, model!, size - rows[0]!.count, soon, DAY_SECONDS);
      await client.query('vacuum analyze connection');
      found.push({
        size,
        idle: await measureScan(client, schedule, clock, 0),
        share: await measureScan(client, schedule, clock, size * SHARE),
        same: await measureScan(client, schedule, clock, SAME),
      });
      process.stdout.write(`${JSON.stringify(found.at(-1))}\n`);
    }
    return report(found, await plans(client, schedule, clock));
  } finally {
    await app.close();
  }
}

/** Claims as a worker with this number of places does, until nothing is due. */
async function claimAll(schedule: ClaimFetches): Promise<void> {
  while ((await schedule.claim(PLACES)).length > 0);
}

/** The median duration of claiming `count` due connections, in milliseconds. */
async function measureScan(client: Client, schedule: ClaimFetches, clock: SetClock, due: number): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    await makeDue(client, clock, due);
    const began = performance.now();
    await claimAll(schedule);
    const ms = performance.now() - began;
    const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from "fetch"');
    if (rows[0]!.count !== due) throw new Error(`${rows[0]!.count} fetches have been claimed instead of ${due}.`);
    if (round >= 0) times.push(ms);
  }
  return median(times);
}

/** Ends all fetches and sets due dates within the last minute for connections across the table. */
async function makeDue(client: Client, clock: SetClock, due: number): Promise<void> {
  await clearFetches(client);
  await client.query('vacuum "fetch"');
  await client.query(
    `update connection set next_fetch_at = $1::timestamptz - random() * interval '1 minute'
     where uuid in (select uuid from connection where next_fetch_at is not null order by random() limit $2)`,
    [clock.now(), due],
  );
}

/** PostgreSQL's plans of the statements that claim due connections, for the largest table. */
async function plans(client: Client, schedule: ClaimFetches, clock: SetClock): Promise<string> {
  await makeDue(client, clock, SAME);
  const statements = await statementsOf(() => claimAll(schedule));
  await makeDue(client, clock, SAME);
  const taking = [...new Map(statements.map((one) => [one.text, one])).values()].filter(
    ({ text }) => /from connection\b/i.test(text) && /skip locked/i.test(text),
  );
  if (taking.length === 0) throw new Error('No statement takes connections out of the schedule.');
  const shown: string[] = [];
  for (const { text, values } of taking) {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, costs off, timing off, summary off, buffers off) ${text}`,
      values: [...values],
    });
    await client.query('rollback');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    if (/seq scan on connection\b/i.test(plan)) throw new Error(`The schedule is read from end to end:\n${plan}`);
    shown.push(plan);
  }
  return shown.map((plan) => `\`\`\`\n${plan}\n\`\`\``).join('\n\n');
}

function report(found: readonly ScanResult[], shown: string): string {
  const [smallest] = found;
  const rows = found.map(({ size, idle, share, same }) => [
    size.toLocaleString('en'),
    idle.toFixed(2),
    String(size * SHARE),
    share.toFixed(1),
    ((share / (size * SHARE)) * 1000).toFixed(0),
    same.toFixed(1),
    ((same / SAME) * 1000).toFixed(0),
    (same / smallest!.same).toFixed(2),
  ]);
  const headings = [
    ...['connections', 'idle, ms', '0.1 % due', 'ms', 'µs each'],
    ...[`${SAME.toLocaleString('en')} due, ms`, 'µs each', `× ${SIZES[0]!.toLocaleString('en')}`],
  ];
  return [
    table(headings, rows),
    [
      `One worker claims what is due for ${PLACES} free places at a time (\`ClaimFetches.claim\`, in this process), until nothing is due: leases`,
      `and next dates are written, and a fetch is recorded for each. Medians of ${ROUNDS} rounds. Ten due connections share what a claim costs`,
      `anyway, hence the columns with the same number due at every size. All connections are due once a day; those that are due are`,
      `spread over the table.`,
    ].join('\n'),
    `The plans at ${SIZES.at(-1)!.toLocaleString('en')} connections:\n\n${shown}`,
  ].join('\n\n');
}
