import { join } from 'node:path';
import type { Client } from 'pg';
import { Schedule } from '../../src/fetches/schedule';
import { Database } from '../harness/database';
import { copyConnections, modelConnection } from '../harness/many-connections';
import { table } from '../harness/report';
import { openRooms, SetClock } from '../harness/rooms';
import { Book } from './book';

/** With `CALENDAR_CONNECTIONS=1000000` it is the million of the goal, which takes the better part of an hour on two cores. */
const CONNECTIONS = Number(process.env.CALENDAR_CONNECTIONS ?? 100_000);
const INTERVAL_SECONDS = 86_400;
const DAYS = 7;
/** In so large steps the clock moves. The service looks every second: what is late by a step here is late by a second there. */
const STEP_SECONDS = 60;

/** The real calendar of two instances on a real database, with a moved clock and a fetch that ends as soon as it is queued. */
export async function calendar(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const { client } = database;
  const model = await modelConnection(database, dataDir, INTERVAL_SECONDS / 60);
  const clock = new SetClock();
  const begin = clock.now().getTime();
  await copyConnections(client, model, CONNECTIONS, clock.now(), INTERVAL_SECONDS);
  await client.query('vacuum analyze connection');
  const book = new Book();
  await book.open(client);

  const instances = await Promise.all([openRooms(database.url, clock), openRooms(database.url, clock)]);
  const schedules = instances.map((instance) => instance.get(Schedule));
  const began = performance.now();
  let busiest = 0;
  try {
    const steps = (DAYS * 86_400) / STEP_SECONDS;
    for (let step = 1; step <= steps; step++) {
      clock.set(begin + step * STEP_SECONDS * 1000);
      busiest = Math.max(busiest, await oneStep(client, schedules, clock, book));
      if (step % (steps / DAYS) === 0) {
        process.stdout.write(`Day ${step / (steps / DAYS)}: ${book.fetches} fetches, ${seconds(began)} s\n`);
      }
    }
  } finally {
    for (const instance of instances) await instance.close();
  }
  return report(book, busiest, seconds(began));
}

/** Both instances look at once; what they have queued ends. Answers how many fetches that were. */
async function oneStep(client: Client, schedules: readonly Schedule[], clock: SetClock, book: Book): Promise<number> {
  let sum = 0;
  // A look takes no more than the queue has room for.
  for (;;) {
    await Promise.all(schedules.map((schedule) => schedule.look()));
    const { rows } = await client.query<{ uuid: string }>('delete from fetch_run returning connection_uuid as uuid');
    if (rows.length === 0) break;
    await client.query(`delete from pgboss.job where name = 'run-fetches'`);
    for (const { uuid } of rows) book.enter(uuid, clock.now().getTime());
    sum += rows.length;
  }
  const { rows } = await client.query('select 1 from connection where next_fetch_at <= $1 limit 1', [clock.now()]);
  if (rows.length > 0) throw new Error('A look has left connections behind that are due.');
  return sum;
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

/** @throws unless every connection was fetched in time, every time, and never twice for one date. */
function check({ fewest, shortest, longest }: ReturnType<Book['summary']>): void {
  const interval = INTERVAL_SECONDS * 1000;
  if (fewest < DAYS) throw new Error(`A connection was fetched only ${fewest} times.`);
  if (longest > interval + 60_000) throw new Error(`A connection waited for ${longest} ms.`);
  if (shortest < interval / 2 - STEP_SECONDS * 1000)
    throw new Error(`A connection was fetched again after ${shortest} ms.`);
}

function report(book: Book, busiest: number, took: number): string {
  const summary = book.summary();
  check(summary);
  const { fetches, fewest, most, shortest, longest } = summary;
  const number = (value: number) => value.toLocaleString('en');
  const row = (name: string, value: string) => [name, value];
  const minutes = (ms: number) => (ms / 60_000).toFixed(1);
  return [
    table(
      ['', 'value'],
      [
        row('connections', number(CONNECTIONS)),
        row('fetches in the week', number(fetches)),
        row('fetches of one connection, fewest and most', `${fewest} and ${most}`),
        row('two fetches of one connection apart, at least, in minutes', minutes(shortest)),
        row('two fetches of one connection apart, at most, in minutes', minutes(longest)),
        row(`most fetches in one step of ${STEP_SECONDS} seconds`, number(busiest)),
        row('seconds that the week took here', number(took)),
      ],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  'No connection late by more than a minute, none fetched twice for one date; otherwise this benchmark fails and writes no section.',
  '',
  'What is real: the database with all its tables and indexes, the calendar (`Schedule.look`) of two instances that look at the same',
  'time, the fetches and jobs that they queue. Every connection is due once a day; the first date is random within the first day.',
  `What is replaced: the clock, which moves by ${STEP_SECONDS} seconds from look to look where the service looks every second, so here a connection`,
  'is late by up to that; and the fetches, which end as soon as they are queued (fetch and job are deleted, set by set), as seven',
  'million of them would take hours. That a fetch runs, and what one costs, stands in the other sections. After every step nothing',
  'that is due may be left in the calendar, and every fetch is entered in a book by connection.',
].join('\n');
