import { join } from 'node:path';
import type { Client } from 'pg';
import { ClaimFetches } from '../../src/fetches/scheduling/claim-fetches';
import { Database } from '../harness/data/database';
import { copyConnections, modelConnections } from '../harness/data/many-connections';
import { table } from '../harness/report';
import { openAppContext, SetClock } from '../harness/app-context';
import { DueDateLog } from './due-date-log';

/** Set `SCHEDULE_CONNECTIONS=1000000` for the target of a million, which takes most of an hour on two cores. */
const CONNECTIONS = Number(process.env.SCHEDULE_CONNECTIONS ?? 100_000);
const INTERVAL_SECONDS = 86_400;
const DAYS = 7;
/** The free places of each of the two workers. */
const PLACES = 200;
/** The step of the clock. The service polls four times a second, so a delay of one step here corresponds to a quarter of a second. */
const STEP_SECONDS = 30;

/** The real claims of two workers on a real database, with a simulated clock and fetches that end as soon as they are claimed. */
export async function schedule(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const { client } = database;
  const [model] = await modelConnections(database, dataDir, INTERVAL_SECONDS / 60, 1);
  const clock = new SetClock();
  const begin = clock.now().getTime();
  await copyConnections(client, model!, CONNECTIONS, clock.now(), INTERVAL_SECONDS);
  await client.query('vacuum analyze connection');
  const dueDates = new DueDateLog();
  await dueDates.load(client);

  const instances = await Promise.all([openAppContext(database.url, clock), openAppContext(database.url, clock)]);
  const schedules = instances.map((instance) => instance.get(ClaimFetches));
  const began = performance.now();
  let busiest = 0;
  try {
    const steps = (DAYS * 86_400) / STEP_SECONDS;
    for (let step = 1; step <= steps; step++) {
      clock.set(begin + step * STEP_SECONDS * 1000);
      busiest = Math.max(busiest, await oneStep(client, schedules, clock, dueDates));
      if (step % (steps / DAYS) === 0) {
        process.stdout.write(`Day ${step / (steps / DAYS)}: ${dueDates.fetches} fetches, ${seconds(began)} s\n`);
      }
    }
  } finally {
    for (const instance of instances) await instance.close();
  }
  check(dueDates, clock.now().getTime());
  return report(dueDates, busiest, seconds(began));
}

/** Claims in both instances concurrently and ends the claimed fetches. Returns their number. */
async function oneStep(
  client: Client,
  schedules: readonly ClaimFetches[],
  clock: SetClock,
  dueDates: DueDateLog,
): Promise<number> {
  let sum = 0;
  for (;;) {
    await Promise.all(schedules.map((schedule) => schedule.claim(PLACES)));
    const { rows } = await client.query<{ uuid: string; next: number }>(
      `delete from "fetch" f using connection c where c.uuid = f.connection_uuid
       returning c.uuid, extract(epoch from c.next_fetch_at)::float8 * 1000 as next`,
    );
    if (rows.length === 0) return sum;
    await client.query('update connection set lease_token = null, leased_until = null where lease_token is not null');
    for (const { uuid, next } of rows) dueDates.recordFetch(uuid, clock.now().getTime(), next);
    sum += rows.length;
  }
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

/** @throws Error unless every connection was fetched for each of its due dates, with a delay of at most a minute */
function check(dueDates: DueDateLog, now: number): void {
  const missed = dueDates.countOverdue(now);
  if (missed > 0) throw new Error(`${missed} connections are due and were not fetched.`);
  if (dueDates.maxDelayMs > 60_000) throw new Error(`A connection was fetched ${dueDates.maxDelayMs} ms late.`);
  const [fewest] = dueDates.minAndMaxFetches();
  if (fewest < DAYS) throw new Error(`A connection was fetched only ${fewest} times.`);
}

function report(dueDates: DueDateLog, busiest: number, took: number): string {
  const number = (value: number) => value.toLocaleString('en');
  const row = (name: string, value: string) => [name, value];
  return [
    table(
      ['', 'value'],
      [
        row('connections', number(CONNECTIONS)),
        row('fetches in the week', number(dueDates.fetches)),
        row('fetches of one connection, fewest and most', dueDates.minAndMaxFetches().join(' and ')),
        row('late by at most, in seconds', (dueDates.maxDelayMs / 1000).toFixed(1)),
        row('two dates of one connection apart, at least, in hours', (dueDates.minIntervalMs / 3_600_000).toFixed(1)),
        row(`most fetches in one step of ${STEP_SECONDS} seconds`, number(busiest)),
        row('seconds that the week took here', number(took)),
      ],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  'No connection late by more than a minute, none fetched before its date, so none twice for one; otherwise this benchmark fails and',
  'writes no section.',
  '',
  'What is real: the database with all its tables and indexes, the claims (`ClaimFetches.claim`) of two workers at the same time, the',
  'leases and fetches that they write. Every connection is due once a day, at a time of its own; its first date is random within the',
  'first day, hence the shorter distance to its second one.',
  `What is replaced: the clock, which moves by ${STEP_SECONDS} seconds from claim to claim where a worker looks four times a second, so here a connection`,
  'is late by up to that; and the fetches, which end as soon as they are claimed (fetch and lease are deleted, set by set): that a',
  'fetch runs, and what one costs, is in the other sections. Every fetch is recorded in a log by connection, with its due date and',
  'the next one.',
].join('\n');
