import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Settings } from '../config/settings';

/** What takes milliseconds on a good day: answering a request, a push, a webhook. Seconds. */
export const QUICK_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** What may take hours: a fetch. Seconds. */
export const SLOW_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400];

/** The second half of the help text of every value that each process answers alike: take its maximum, not its sum. */
const WHOLE_SYSTEM = 'Of the whole system: every process answers the same.';

/**
 * What this process can tell Prometheus (decisions 5). Names follow Prometheus' conventions; labels have few values: never
 * the uuid of a client, a connection or a document.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly logLines: Counter<'level' | 'context'>;

  constructor(settings: Settings) {
    this.logLines = this.counter(
      'docfetch_log_messages_total',
      'Log lines of level warn, error and fatal, by who wrote them.',
      ['level', 'context'],
    );
    if (!settings.showsMetrics) return; // watching the event loop and the garbage collector costs a little
    collectDefaultMetrics({ register: this.registry });
    this.gauge('docfetch_build_info', 'Always 1; what runs is in the labels.', ['version', 'node', 'role']).set(
      { version: ownVersion(), node: process.version, role: settings.role },
      1,
    );
  }

  counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  gauge<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  /** A gauge about the whole system, not about this process. */
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

  /** What is logged as a warning or worse is counted, so that nothing that is only logged dies silently. */
  logged(level: number, context: string | undefined): void {
    const name = level >= 60 ? 'fatal' : level >= 50 ? 'error' : level >= 40 ? 'warn' : null;
    if (name) this.logLines.inc({ level: name, context: context ?? 'HTTP' });
  }
}

/** Of the package that this file is part of, built or not. */
function ownVersion(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return String((JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }).version);
  }
  return 'unknown';
}
