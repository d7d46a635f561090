import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import { median, table } from '../harness/report';

const SPANS = 10_000;
const ROUNDS = 3;
/** Compiles the code. */
const WARM_UP = 20_000;

/** What one span costs alone, from its beginning to its export, and what the same code costs while tracing is off. */
export async function spans(): Promise<string> {
  await using collector = Child.start(join(__dirname, 'collector.process.js'), {});
  const { port } = await collector.nextMessage<{ port: number }>();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const variants: readonly [name: string, settings: Readonly<Record<string, string>>][] = [
    ['off', {}],
    ['a tenth of the traces', { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }],
    ['all traces', endpoint],
  ];
  const rows: string[][] = [];
  for (const [name, settings] of variants) {
    await using subject = Child.start(join(__dirname, 'spans.process.js'), settings);
    await subject.ask({ count: WARM_UP });
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      costs.push((await subject.ask<{ microseconds: number }>({ count: SPANS })).microseconds);
    }
    rows.push([name, median(costs).toFixed(1)]);
  }
  return `${table(['traces', 'a span, CPU µs'], rows)}

Medians of ${ROUNDS} rounds of ${SPANS.toLocaleString('en')} spans with five attributes around no work, the export to a collector on the same machine included.
A document costs one span when it is fetched and one for each push; a fetch over HTTP has one for each request.`;
}
