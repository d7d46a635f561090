import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BenchClient, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';

const REQUESTS = 300;
/** decisions 2: the number of accepted fetches per connection and hour. */
const ACCEPTED = 5;
/** The minimum and maximum idle time before each request, random so that requests do not coincide with timers. */
const IDLE_MS = [100, 600] as const;

/** Milliseconds from the response 202 to the connector's first call, for every request. */
type Latencies = readonly number[];

/** The latency of a manual fetch on an idle system. */
export async function queueLatency(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const env = { DATABASE_URL: database.url, RATE_LIMIT_PER_KEY: '1000000000', ...WITH_BENCH_CONNECTOR };
  let together: Latencies;
  {
    await using service = await Service.start(dataDir, { ...env, ROLE: 'all' });
    together = await measure(database, service, service);
  }
  await using api = await Service.start(dataDir, { ...env, ROLE: 'api' });
  await using worker = await Service.start(dataDir, { ...env, ROLE: 'worker' });
  const apart = await measure(database, api, worker);
  return report(together, apart);
}

async function measure({ client }: Database, api: Service, worker: Service): Promise<Latencies> {
  const customer = await BenchClient.create(api);
  const connections: string[] = [];
  for (let number = 0; number < REQUESTS / ACCEPTED; number++) connections.push(await customer.connect(0, 1_000));
  const ended = async () => {
    const { rows } = await client.query<{ ended: boolean }>(
      `select not exists (select 1 from "fetch" where finished_at is null)
         and not exists (select 1 from connection where immediate_fetch_at is not null) as ended`,
    );
    return rows[0]!.ended || undefined;
  };
  await until('the first fetches end', ended);
  const looks = () => worker.child.ask<number[]>({ looks: true });
  await looks();
  const latencies: number[] = [];
  for (let turn = 0; turn < REQUESTS; turn++) {
    const [least, most] = IDLE_MS;
    await pause(least + Math.random() * (most - least));
    const path = `/v1/connections/${connections[turn % connections.length]}/fetch-now`;
    await api.call(customer.key, 'POST', path);
    const answered = performance.timeOrigin + performance.now();
    await until('the fetch ends', ended);
    const [first, ...others] = await looks();
    if (first === undefined || others.length > 0) throw new Error('One request, one fetch.');
    latencies.push(Math.max(0, first - answered)); // it may start before the response has arrived
  }
  return latencies;
}

function report(together: Latencies, apart: Latencies): string {
  const row = (name: string, latencies: Latencies) => {
    const sorted = [...latencies].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
    return [name, String(sorted.length), at(0.5), at(0.9), at(0.99), at(1)];
  };
  return [
    table(
      ['process', 'fetches', 'p50', 'p90', 'p99', 'worst'],
      [row('one (`ROLE=all`)', together), row('two (`ROLE=api`, `ROLE=worker`)', apart)],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  'Milliseconds from the answer 202 of `POST /v1/connections/{uuid}/fetch-now` to the first call of the connector (goal: a second).',
  'Claiming the fetch, reading its connection and decrypting its secrets are included. One request at a time; before each the system is',
  `idle for ${IDLE_MS[0]} to ${IDLE_MS[1]} ms, at random. Both clocks are those of the machine. In one process the API tells the worker that there is something`,
  'to do; a separate worker polls every 250 ms, which explains the difference.',
].join('\n');
