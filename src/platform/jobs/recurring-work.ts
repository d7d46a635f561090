import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Settings } from '../config/settings';
import { nonOverlapping } from './non-overlapping';

const isWorker = ({ runsWorker }: Settings) => runsWorker;
/** For work that every process does, also with `ROLE=api`. */
export const everyProcess = () => true;

type Work = (signal: AbortSignal) => Promise<unknown>;

export interface RecurringOptions {
  /** Milliseconds from one start to the next. */
  readonly everyMs: number;
  /** Also when the process starts. */
  readonly atStart?: boolean;
  /** The log line of an error that the work throws; written once a minute while the same error repeats. */
  readonly failure: string;
  /** Which processes do it: by default, those that fetch and push (`ROLE=worker` or `all`). */
  readonly runsIn?: (settings: Settings) => boolean;
}

/**
 * Marks a method of a provider that is called at an interval as long as the process runs. A call that takes longer than
 * the interval is not overlapped by the next one; one that throws is logged, and repeated at the next interval. The method
 * gets a signal that is aborted when the process shuts down. Tests call the method itself.
 */
export const Recurring = DiscoveryService.createDecorator<RecurringOptions>();

/** Multiplies all intervals; tests shorten them. */
@Injectable()
export class IntervalFactor {
  readonly value: number = 1;
}

/** Calls all methods marked with {@link Recurring}, and waits for those in progress before the database closes. */
@Injectable()
export class RecurringWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly closers: (() => Promise<void>)[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly scheduler: SchedulerRegistry,
    private readonly settings: Settings,
    private readonly factor: IntervalFactor,
  ) {}

  onApplicationBootstrap(): void {
    const seen = new Set<unknown>(); // a provider that has two tokens is listed twice
    for (const wrapper of this.discovery.getProviders()) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
      seen.add(instance);
      for (const method of this.methods.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const options = this.discovery.getMetadataByDecorator(Recurring, wrapper, method);
        if (options) this.schedule(instance as Record<string, Work>, method, options);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.closers.map((close) => close()));
  }

  private schedule(
    instance: Record<string, Work>,
    method: string,
    { everyMs, atStart = false, failure, runsIn = isWorker }: RecurringOptions,
  ): void {
    if (!runsIn(this.settings)) return;
    const name = instance.constructor.name;
    const work = nonOverlapping(() => instance[method]!(this.stopping.signal), new Logger(name), failure);
    if (atStart) void work();
    const timer = setInterval(() => void work(), everyMs * this.factor.value);
    this.scheduler.addInterval(`${name}.${method}`, timer);
    this.closers.push(() => {
      clearInterval(timer);
      return work.close();
    });
  }
}
