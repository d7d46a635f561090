import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from '../harness/processes/child';
import { median, table } from '../harness/report';
import { DeliverySetup, type Sent } from './delivery-setup';

/** Scales a number of documents by `BENCH_SCALE`, such as 0.01 for a trial run. */
const scaled = (count: number) => Math.max(10, Math.round(count * Number(process.env.BENCH_SCALE ?? 1)));
const ROUNDS = 3;
const SETTLE_MS = 3_000;

const whole = (value: number) => value.toFixed(0);
const exact = (value: number) => value.toFixed(2);

/** Documents of 150 KB to one endpoint, against bare undici with the same bodies from memory. */
export async function pushRate(folder: string): Promise<string> {
  const documents = scaled(1_000);
  const bodies = join(folder, 'bodies');
  await mkdir(bodies);
  await using setup = await DeliverySetup.start(folder);
  const environment = await setup.fetch(documents, 150_000);
  const rows: string[][] = [];
  for (const atOnce of [1, 10, 50]) {
    await using worker = await setup.service('worker', { PUSH_CONCURRENCY: String(atOnce) });
    await setup.wait(environment);
    await pause(SETTLE_MS);
    await setup.storeBodies(bodies, worker, environment);
    await using memory = await setup.measureBaseline(environment, { folder: bodies, atOnce });
    await using stored = await setup.measureBaseline(environment, {
      folder: bodies,
      atOnce,
      database: setup.database.url,
    });
    const rateOf = async (baseline: Child) => (documents * 1000) / (await baseline.ask<{ ms: number }>('go')).ms;
    for (const baseline of [memory, stored]) await rateOf(baseline); // like the worker, it has sent all documents once
    const [service, fromMemory, fromDatabase]: [Sent[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      await setup.wait(environment);
      service.push(await setup.send([worker], [environment]));
      fromMemory.push(await rateOf(memory));
      fromDatabase.push(await rateOf(stored));
    }
    const rate = median(service.map(({ aSecond }) => aSecond));
    const baselines = [median(fromMemory), median(fromDatabase)].flatMap((baseline) => [
      whole(baseline),
      exact(rate / baseline),
    ]);
    rows.push([String(atOnce), whole(rate), ...baselines, ...costs(service)]);
    process.stdout.write(`${rows.at(-1)!.join(' ')}\n`);
  }
  const headings = [
    'at once',
    'documents/s',
    'from memory/s',
    '× it',
    'from a database/s',
    '× it',
    'worker CPU, ms',
    'database CPU, ms',
  ];
  return [
    table(headings, rows),
    [
      `${documents.toLocaleString('en')} documents of 150 KB, medians of ${ROUNDS} rounds in which one worker and the baselines alternate; each has sent all of`,
      'them once before. The worker reads each from the database, decrypts it, encodes, signs, sends and settles it. “From',
      'memory” is bare undici, which sends the very bodies that the worker has sent, all of them in memory and their signatures',
      'made; the goal is 0.7 of it. “From a database” is bare undici behind bare `pg` and `node:crypto`: each document is read,',
      'decrypted, encoded, signed, sent and noted with one update, and nothing else. The receiver is a process of its own and the same',
      'for all three: as the example in `docs/examples` it reads a body whole, verifies its signature and parses it before it answers',
      '200, but it does not write it to the disk. It does one thing at a time, so no sender is faster than it is. Worker, database',
      'and receiver share the cores; bare undici has one for itself. Rates are from the first document that leaves until the last',
      'is settled: the worker’s poll interval (twice a second) is not included.',
    ].join('\n'),
  ].join('\n\n');
}

/** Very many small documents to one endpoint. */
export async function smallDeliveries(folder: string): Promise<string> {
  const documents = scaled(100_000);
  await using setup = await DeliverySetup.start(folder);
  const environment = await setup.fetch(documents, 2_000);
  await setup.wait(environment);
  await using worker = await setup.service('worker');
  await pause(SETTLE_MS);
  const sent = await setup.send([worker], [environment]);
  const row = [documents.toLocaleString('en'), whole(sent.aSecond), exact(sent.workerCpu), exact(sent.databaseCpu)];
  return [
    table(['documents of 2 KB', 'a second', 'worker CPU, ms', 'database CPU, ms'], [row]),
    'One worker, one endpoint, eight in flight. Processor time for each document.',
  ].join('\n\n');
}

/** A healthy endpoint next to a dead one with a large backlog. */
export async function deadEndpoint(folder: string): Promise<string> {
  const [parked, documents] = [scaled(100_000), scaled(5_000)];
  await using setup = await DeliverySetup.start(folder);
  const healthy = await setup.fetch(documents, 2_000);
  const dead = await setup.fetch(parked, 200);
  const [alone, beside]: [Sent[], Sent[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const found of round % 2 ? [beside, alone] : [alone, beside]) {
      await setup.wait(healthy);
      await setup.wait(dead);
      const { client } = setup.database;
      if (found === alone)
        await client.query('update transaction set due_at = null where environment_uuid = $1', [dead]);
      // No listener: it fails, and its circuit opens as usual.
      await setup.release(dead, 'http://127.0.0.1:9/documents');
      await using worker = await setup.service('worker');
      await pause(SETTLE_MS);
      found.push(await setup.send([worker], [healthy]));
      process.stdout.write(`${found === alone ? 'alone' : 'beside'} ${whole(found.at(-1)!.aSecond)}/s\n`);
    }
  }
  const rate = (found: readonly Sent[]) => median(found.map(({ aSecond }) => aSecond));
  const row = [parked.toLocaleString('en'), whole(rate(alone)), whole(rate(beside)), exact(rate(beside) / rate(alone))];
  return [
    table(['parked on the dead one', 'alone, documents/s', 'beside it, documents/s', 'ratio'], [row]),
    `${documents.toLocaleString('en')} documents of 2 KB to a healthy endpoint, one worker, medians of ${ROUNDS} rounds. The goal is 0.9.`,
  ].join('\n\n');
}

/** Several endpoints, by the number of worker processes. */
export async function pushWorkers(folder: string): Promise<string> {
  const documents = scaled(2_000);
  await using setup = await DeliverySetup.start(folder);
  const environments: string[] = [];
  for (let n = 0; n < 8; n++) environments.push(await setup.fetch(documents, 2_000));
  const rows: string[][] = [];
  let one = 0;
  for (const count of [1, 2, 4]) {
    for (const environment of environments) await setup.wait(environment);
    await using stack = new AsyncDisposableStack();
    const workers = await Promise.all(Array.from({ length: count }, () => setup.service('worker')));
    for (const worker of workers) stack.use(worker);
    await pause(SETTLE_MS);
    const sent = await setup.send(workers, environments);
    one ||= sent.aSecond;
    rows.push([
      String(count),
      whole(sent.aSecond),
      exact(sent.aSecond / one),
      exact(sent.workerCpu),
      exact(sent.databaseCpu),
    ]);
    process.stdout.write(`${rows.at(-1)!.join(' ')}\n`);
  }
  return [
    table(['workers', 'documents/s', '× one', 'worker CPU, ms', 'database CPU, ms'], rows),
    `${environments.length} endpoints with ${documents.toLocaleString('en')} documents of 2 KB each. Workers, database and receiver share the cores.`,
  ].join('\n\n');
}

function costs(sent: readonly Sent[]): string[] {
  return [
    exact(median(sent.map(({ workerCpu }) => workerCpu))),
    exact(median(sent.map(({ databaseCpu }) => databaseCpu))),
  ];
}
