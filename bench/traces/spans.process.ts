import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '../../src/platform/config/settings';
import type { SpanOptions } from '../../src/platform/tracing/tracer';
import { Tracing } from '../../src/platform/tracing/tracing';

// Begins and ends spans like those of pushes, around no work. Each message is a number of spans; the answer is the processor time of one.

/** The exporter sends what has ended every two seconds, and drops more than 4,096 spans. */
const AT_ONCE = 2_000;
const EXPORT_MS = 2_500;
const uuid = '01935c1e-0000-7000-8000-000000000000';
const describeSpan = (): SpanOptions => ({
  kind: 'CLIENT',
  parent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  attributes: {
    'docfetch.transaction_uuid': uuid,
    'docfetch.connection_uuid': uuid,
    'docfetch.environment_uuid': uuid,
    'docfetch.attempt': 1,
    'http.request.method': 'POST',
  },
});

async function measure(tracing: Tracing, count: number): Promise<number> {
  let microseconds = 0;
  for (let done = 0; done < count; done += AT_ONCE) {
    const before = process.cpuUsage();
    for (let at = 0; at < AT_ONCE; at++) await tracing.run('push', describeSpan, () => Promise.resolve());
    if (tracing.isOn) await pause(EXPORT_MS);
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
  }
  return microseconds / count;
}

const tracing = Tracing.open(Settings.fromEnvironment(process.env));
process.on('message', ({ count }: { readonly count: number }) => {
  void tracing.then(async (opened) => process.send!({ microseconds: await measure(opened, count) }));
});
