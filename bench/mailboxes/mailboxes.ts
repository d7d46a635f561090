import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../harness/data/database';
import { Child } from '../harness/processes/child';
import { Service } from '../harness/processes/service';
import { Usage } from '../harness/processes/usage';
import { until } from '../harness/until';
import type { BareResult, BareWork } from './bare-client.process';
import { MailboxServer, fetched, spreadDueTimes } from './mailbox-server';
import { type BareFigures, reportMailboxes, type ServiceFigures } from './report-mailboxes';

/** Set `BENCH_MAILBOXES`, `BENCH_SECONDS` and `BENCH_ROUNDS` for a trial run with fewer. */
const MAILBOXES = Number(process.env.BENCH_MAILBOXES ?? 10_000);
/** Ten thousand mailboxes every 15 minutes; fewer are due at the same rate. */
const REQUIRED = { mailboxes: 10_000, seconds: 900 };
const SPREAD_SECONDS = (MAILBOXES / REQUIRED.mailboxes) * REQUIRED.seconds;
/** How long the required rate is measured: less than the time in which all mailboxes are due. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 120);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** The mailboxes of a round of the bare client, and those that are due at once. */
const SAMPLE = Math.min(1_000, MAILBOXES);
const IDLE = Math.min(500, MAILBOXES);
const LEAD_MS = 2_000;
const FETCHED_MS = 3_600_000;

/** The variants of the bare client, which alternate. */
const BARE = {
  login: { secure: false },
  secureLogin: { secure: true },
  resumedLogin: { secure: true, resumes: true },
  whole: { secure: true, asksStatus: true },
} as const satisfies Record<string, Omit<BareWork, 'mailboxes'>>;

/** Idle mailboxes every 15 minutes on one worker, against bare imapflow. */
export async function mailboxes(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using mailboxServer = await MailboxServer.start();
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, mailboxServer.server.ca);
  await using database = await Database.start(dataDir);
  const env = {
    DATABASE_URL: database.url,
    NODE_EXTRA_CA_CERTS: authority,
    RATE_LIMIT_PER_KEY: '1000000000',
  };
  await makeConnections(mailboxServer, database, dataDir, env);
  await using worker = await Service.start(dataDir, { ...env, ROLE: 'worker' });
  const setup = { mailboxServer, database, worker };
  await firstFetches(setup);
  const atOnce: ServiceFigures[] = [];
  const bare: Record<keyof typeof BARE, BareFigures[]> = { login: [], secureLogin: [], resumedLogin: [], whole: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(BARE) as [keyof typeof BARE, Omit<BareWork, 'mailboxes'>][]) {
      const figures = await runBare(mailboxServer, authority, work);
      if (round >= 0) bare[name].push(figures);
      process.stdout.write(`${name} ${JSON.stringify(figures)}\n`);
    }
    const figures = await runAtOnce(setup);
    if (round >= 0) atOnce.push(figures);
    process.stdout.write(`service ${JSON.stringify(figures)}\n`);
  }
  const paced = await runPaced(setup);
  process.stdout.write(`paced ${JSON.stringify(paced)}\n`);
  const idle = await measureIdle(mailboxServer, authority);
  return reportMailboxes({
    ...{ mailboxes: MAILBOXES, required: REQUIRED, sample: SAMPLE, rounds: ROUNDS, idleCount: IDLE },
    ...{ bare, atOnce, paced, idle },
  });
}

interface MailboxSetup {
  readonly mailboxServer: MailboxServer;
  readonly database: Database;
  readonly worker: Service;
}

async function makeConnections(
  mailboxServer: MailboxServer,
  database: Database,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await using service = await Service.start(dataDir, { ...env, ROLE: 'api' });
  await mailboxServer.connect(service, MAILBOXES);
  await database.client.query('update environment set fetch_interval_minutes = $1', [REQUIRED.seconds / 60]);
}

/** Until every folder has a position: from then on nothing is new. */
async function firstFetches({ database }: MailboxSetup): Promise<void> {
  const { client } = database;
  const work = async () => {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::integer as open from connection where last_fetch->>'status' is distinct from 'SUCCEEDED'`,
    );
    return rows[0]!.open === 0 ? true : undefined;
  };
  await until('all mailboxes have been fetched', work, FETCHED_MS);
}

/** A sample becomes due at once: the rate that the worker sustains. */
async function runAtOnce({ mailboxServer, database, worker }: MailboxSetup): Promise<ServiceFigures> {
  const { client } = database;
  const due = new Date(Date.now() + LEAD_MS);
  await spreadDueTimes(client, due, 0);
  await client.query(
    `update connection set next_fetch_at = 'infinity'
     where uuid not in (select uuid from connection order by uuid limit ${SAMPLE})`,
  );
  await client.query('vacuum analyze connection');
  await pause(Math.max(0, due.getTime() - Date.now()));
  return measured({ mailboxServer, database, worker }, () =>
    until('the sample has been fetched', async () => {
      const done = await fetched(client);
      return done.count >= SAMPLE ? done : undefined;
    }),
  );
}

/** Mailboxes are due at the required rate, for as long as there are some; a part of this time is measured. */
async function runPaced(setup: MailboxSetup): Promise<ServiceFigures> {
  await spreadDueTimes(setup.database.client, new Date(Date.now() + LEAD_MS), SPREAD_SECONDS);
  await pause(LEAD_MS + 5_000);
  const before = await fetched(setup.database.client);
  return measured(setup, async () => {
    await pause(SECONDS * 1000);
    const after = await fetched(setup.database.client);
    return { ...after, count: after.count - before.count, seconds: SECONDS };
  });
}

async function measured(
  { mailboxServer, database, worker }: MailboxSetup,
  work: () => Promise<{ count: number; seconds: number; late: number }>,
): Promise<ServiceFigures> {
  const usages = [worker.usage, new Usage(mailboxServer.server.pid), database.usage];
  const cpu = () => usages.map((usage, at) => (at === 0 ? usage.cpu() : usage.cpuOfFamily()));
  const before = cpu();
  const { count, seconds, late } = await work();
  const [program, server, data] = cpu().map((ms, at) => (ms - before[at]!) / count) as [number, number, number];
  return { aSecond: count / seconds, lateSeconds: late, program, server, database: data };
}

async function runBare(
  mailboxServer: MailboxServer,
  authority: string,
  work: Omit<BareWork, 'mailboxes'>,
): Promise<BareFigures> {
  await using child = await startBare(authority);
  // Compiled and with sessions to resume.
  await child.ask<BareResult>({ ...work, mailboxes: mailboxServer.mailboxes(Math.min(200, MAILBOXES), work.secure) });
  const before = child.usage.cpu();
  const asked: BareWork = { ...work, mailboxes: mailboxServer.mailboxes(SAMPLE, work.secure) };
  const { ms, resumed } = await child.ask<BareResult>(asked);
  return { aSecond: (SAMPLE * 1000) / ms, cpu: (child.usage.cpu() - before) / SAMPLE, resumed };
}

/** KiB of resident memory for each open connection that waits. */
async function measureIdle(mailboxServer: MailboxServer, authority: string): Promise<number> {
  await using child = await startBare(authority);
  const work = { secure: true, resumes: true, keepsOpen: true };
  await child.ask({ ...work, mailboxes: mailboxServer.mailboxes(Math.floor(IDLE / 5), true) });
  await pause(1_000);
  child.usage.resetPeak();
  const before = child.usage.peak();
  await child.ask({ ...work, mailboxes: mailboxServer.mailboxes(IDLE, true) });
  await pause(1_000);
  child.usage.resetPeak();
  return ((child.usage.peak() - before) * 1024) / IDLE;
}

async function startBare(authority: string): Promise<Child> {
  const child = Child.start(join(__dirname, 'bare-client.process.js'), { NODE_EXTRA_CA_CERTS: authority });
  await child.nextMessage();
  return child;
}
