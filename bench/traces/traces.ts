import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DeliverySetup } from '../deliveries/delivery-setup';
import { BenchClient, finishedFetch } from '../harness/data/client';
import { clearDocuments } from '../harness/data/due-documents';
import { BusyCores } from '../harness/processes/busy-cores';
import { Child } from '../harness/processes/child';
import type { Service } from '../harness/processes/service';
import { median, table } from '../harness/report';
import { until } from '../harness/until';

const scaled = (count: number) => Math.max(100, Math.round(count * Number(process.env.BENCH_SCALE ?? 1)));
const ROUNDS = 5;
const BYTES = 2_000;
/** The exporter sends what has ended every two seconds. */
const EXPORT_MS = 3_000;

/** Off twice: the difference of the two is what the measurement cannot tell apart. */
const VARIANTS = ['off', 'off again', 'a tenth of the traces', 'all traces'] as const;
type Variant = (typeof VARIANTS)[number];
/** CPU milliseconds of the service for each document, by variant, one a round. */
type Costs = Readonly<Record<Variant, number[]>>;

const noCosts = (): Costs => ({ off: [], 'off again': [], 'a tenth of the traces': [], 'all traces': [] });

function settingsOf(variant: Variant, collector: string): Readonly<Record<string, string>> {
  if (variant === 'off' || variant === 'off again') return {};
  const ratio = variant === 'all traces' ? '1' : '0.1';
  return { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: ratio };
}

/** What traces cost: the processor time of a fetch with documents and of deliveries, with and without them. */
export async function traces(folder: string): Promise<string> {
  const documents = scaled(3_000);
  await using setup = await DeliverySetup.start(folder);
  await using collector = Child.start(join(__dirname, 'collector.process.js'), {});
  const { port } = await collector.nextMessage<{ port: number }>();
  const [fetched, delivered] = [noCosts(), noCosts()];
  const environment = await setup.fetch(documents, BYTES);
  using _busy = new BusyCores();
  const measureRounds = async (costs: Costs, cost: (settings: Readonly<Record<string, string>>) => Promise<number>) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const variant of rotated(VARIANTS, round)) {
        costs[variant].push((await cost(settingsOf(variant, `http://127.0.0.1:${port}`))) / documents);
      }
    }
  };
  await measureRounds(delivered, (settings) => costOfDelivery(setup, settings, environment));
  await measureRounds(fetched, (settings) => costOfFetch(setup, settings, documents));
  return report(documents, fetched, delivered);
}

/** Of a new worker, because tracing is a setting of the process. It has sent the documents once before, which compiles its code. */
async function costOfDelivery(
  setup: DeliverySetup,
  settings: Readonly<Record<string, string>>,
  environment: string,
): Promise<number> {
  await using worker = await setup.service('worker', settings);
  const send = async () => {
    await setup.send([worker], [environment]);
    await pause(EXPORT_MS);
  };
  await setup.wait(environment);
  await send();
  await setup.wait(environment);
  return await cpuOf(worker, send); // the worker ends with this function
}

/** The same for the second fetch of a process. */
async function costOfFetch(
  setup: DeliverySetup,
  settings: Readonly<Record<string, string>>,
  documents: number,
): Promise<number> {
  const { client } = setup.database;
  await clearDocuments(client);
  await using service = await setup.service('all', settings);
  const customer = await BenchClient.create(service);
  const fetch = async () => {
    const connection = await customer.connect(documents, BYTES);
    await until('the fetch succeeds', () => finishedFetch(client, connection), 3_600_000);
    await pause(EXPORT_MS);
  };
  await fetch();
  await clearDocuments(client);
  const cost = await cpuOf(service, fetch);
  await client.query('update connection set next_fetch_at = null');
  return cost;
}

async function cpuOf({ usage }: Service, work: () => Promise<unknown>): Promise<number> {
  const before = usage.cpu();
  await work();
  return usage.cpu() - before;
}

/** Each variant has each place in turn. */
const rotated = <T>(all: readonly T[], by: number): readonly T[] => [
  ...all.slice(by % all.length),
  ...all.slice(0, by % all.length),
];

function report(documents: number, fetched: Costs, delivered: Costs): string {
  const rows = VARIANTS.map((variant) => [
    variant,
    ...[fetched, delivered].flatMap((costs) => costsOf(costs, variant)),
  ]);
  return [
    table(['traces', 'fetch, CPU ms', '× off', 'delivery, CPU ms', '× off'], rows),
    [
      `Processor time of the service for each of ${documents.toLocaleString('en')} documents of ${BYTES / 1000} KB, the exports included: medians of ${ROUNDS} rounds, and the`,
      'medians of the ratios within a round. Each measurement has a process of its own, which has done the same work once before.',
      'Loops of the lowest priority keep all cores busy. “Off again” shows what the measurement cannot tell apart; the goal for',
      'all traces is 1.03. The connector makes its documents in memory: a fetch over HTTP has a further span for each request.',
    ].join('\n'),
  ].join('\n\n');
}

function costsOf(costs: Costs, variant: Variant): string[] {
  const ratios = costs[variant].map((cost, round) => cost / costs.off[round]!);
  return [median(costs[variant]).toFixed(3), median(ratios).toFixed(3)];
}
