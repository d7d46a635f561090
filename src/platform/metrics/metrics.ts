import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Settings } from '../config/settings';

/** Histogram buckets in seconds for fast operations: requests, pushes, webhooks. */
export const QUICK_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Histogram buckets in seconds for slow operations: fetches. */
export const SLOW_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400];
/** Histogram buckets in seconds for the time from when work became due until it was done. */
export const DELAY_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/** The end of the help text of metrics that every process reports with the same value: use their maximum, not their sum. */
const WHOLE_SYSTEM = 'For the whole system: every process reports the same value.';

/**
 * The Prometheus metrics of this process (decisions 5). Names follow Prometheus' conventions; labels have few values and never
 * contain the uuid of a client, connection or document.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly logLines: Counter<'level' | 'context'>;

  constructor(settings: Settings) {
    this.logLines = this.counter(
      'docfetch_log_messages_total',
      'Log messages of level warn, error and fatal, by context.',
      ['level', 'context'],
    );
    if (!settings.showsMetrics) return; // measuring the event loop and the garbage collector has a cost
    collectDefaultMetrics({ register: this.registry });
    this.gauge('docfetch_build_info', 'Always 1; the labels describe the running version.', [
      'version',
      'node',
      'role',
    ]).set({ version: ownVersion(), node: process.version, role: settings.role }, 1);
  }

  counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  gauge<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  /** A gauge of the whole system, not of this process. */
  systemGauge<Label extends string = never>(name: string, help: string, labels: readonly Label[] = []): Gauge<Label> {
    return this.gauge(name, `${help} ${WHOLE_SYSTEM}`, labels);
  }

  histogram<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /** Counts log lines of level warn and above, so that problems that are only logged can be alerted on. */
  logged(level: number, context: string | undefined): void {
    const name = level >= 60 ? 'fatal' : level >= 50 ? 'error' : level >= 40 ? 'warn' : null;
    if (name) this.logLines.inc({ level: name, context: context ?? 'HTTP' });
  }
}

/** The version of the package, in the checkout and in the build. */
function ownVersion(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return String((JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }).version);
  }
  return 'unknown';
}
