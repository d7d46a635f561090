import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { BusyCores } from '../harness/processes/busy-cores';
import { BenchClient } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { Service } from '../harness/processes/service';
import { median, table } from '../harness/report';

const scaled = (count: number) => Math.max(100, Math.round(count * Number(process.env.BENCH_SCALE ?? 1)));
const ROUNDS = 9;
const AT_ONCE = 10;

/** Without twice: the difference of the two is what the measurement cannot tell apart. */
const VARIANTS = ['without a replica', 'without, again', 'with a replica'] as const;
type Variant = (typeof VARIANTS)[number];

/** CPU milliseconds of a write. */
interface Cost {
  readonly service: number;
  readonly database: number;
}

/**
 * What a write costs more when `DATABASE_REPLICA_URL` is set: it notes the position in the write-ahead log that the replica must have
 * replayed. The replica itself costs the primary nothing here, as its address is that of the primary.
 */
export async function replicaWrites(folder: string): Promise<string> {
  const writes = scaled(2_000);
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const start = (more: Readonly<Record<string, string>> = {}) =>
    Service.start(dataDir, { DATABASE_URL: database.url, ROLE: 'api', RATE_LIMIT_PER_KEY: '1000000000', ...more });
  await using plain = await start();
  await using again = await start();
  await using replicated = await start({ DATABASE_REPLICA_URL: database.url });
  const services: Readonly<Record<Variant, Service>> = {
    'without a replica': plain,
    'without, again': again,
    'with a replica': replicated,
  };
  const { key } = await BenchClient.create(plain);
  const costs: Record<Variant, Cost[]> = { 'without a replica': [], 'without, again': [], 'with a replica': [] };
  using _busy = new BusyCores();
  // The first round compiles the code.
  for (let round = -1; round < ROUNDS; round++) {
    for (const variant of VARIANTS) {
      const cost = await costOf(services[variant], database, key, writes);
      if (round >= 0) costs[variant].push(cost);
    }
  }
  return report(writes, costs);
}

async function costOf(service: Service, database: Database, key: string, writes: number): Promise<Cost> {
  await database.client.query('checkpoint');
  const before = { service: service.usage.cpu(), database: database.usage.cpuOfFamily() };
  let left = writes;
  const write = async () => {
    while (left-- > 0) await service.call(key, 'POST', '/v1/identities', { client_identifier: randomUUID() });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
  return {
    service: (service.usage.cpu() - before.service) / writes,
    database: (database.usage.cpuOfFamily() - before.database) / writes,
  };
}

function report(writes: number, costs: Readonly<Record<Variant, readonly Cost[]>>): string {
  const without = costs['without a replica'];
  const rows = VARIANTS.map((variant) => {
    const all = costs[variant];
    const columns = (['service', 'database'] as const).flatMap((part) => [
      median(all.map((cost) => cost[part])).toFixed(3),
      median(all.map((cost, round) => cost[part] / without[round]![part])).toFixed(2),
    ]);
    return [variant, ...columns];
  });
  return [
    table(['DATABASE_REPLICA_URL', 'service, CPU ms', '× without', 'database, CPU ms', '× without'], rows),
    [
      `Processor time of \`POST /v1/identities\`, ${AT_ONCE} at a time: medians of ${ROUNDS} rounds of ${writes.toLocaleString('en')} requests, and the medians of the`,
      'ratios within a round. Three processes (`ROLE=api`) on one database take turns; loops of the lowest priority keep all cores busy.',
      '“Without, again” shows what the measurement cannot tell apart. The address of the replica is that of the primary: what is',
      'measured is noting the position that a replica must have replayed, not sending it the log.',
    ].join('\n'),
  ].join('\n\n');
}
