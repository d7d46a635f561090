import type { OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config/settings';
import type { Span } from '../request/span';
import { currentTraceparent, withSpan } from '../request/work-scope';
import { openTracer } from './open-telemetry';
import type { SpanOptions, Tracer } from './tracer';

/** How long the end of the process waits for the last export at most. */
const CLOSE_MS = 2_000;

/** Begins spans. While tracing is off, work just runs, and nothing of the SDK is in memory. */
export class Tracing implements OnApplicationShutdown {
  constructor(private readonly tracer: Tracer | null) {}

  static async open(settings: Settings): Promise<Tracing> {
    if (settings.otlpEndpoint === null) return new Tracing(null);
    return new Tracing(await openTracer(settings));
  }

  get isOn(): boolean {
    return this.tracer !== null;
  }

  /** Begins a span that the caller ends. Undefined while tracing is off. */
  begin(name: string, options: SpanOptions): Span | undefined {
    return this.tracer?.begin(name, { ...options, parent: parentOf(options) });
  }

  /** Runs work as a span that ends with it. An error of the work fails the span. */
  async run<T>(name: string, options: () => SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.tracer && this.begin(name, options());
    if (!span) return work();
    try {
      return await withSpan(span, work);
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** After the work of the other providers has ended. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.tracer) return;
    const timer = new AbortController();
    const late = pause(CLOSE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.tracer.close(), late]);
    timer.abort();
  }
}

const parentOf = ({ parent }: SpanOptions): string | null => (parent === undefined ? currentTraceparent() : parent);

/** The code or the class of an error. Its text may contain anything. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && /^[A-Z0-9_]{2,64}$/.test(code)) return code;
  return typeof name === 'string' ? name : 'Error';
}
