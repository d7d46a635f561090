import type { Span, SpanAttributes } from '../request/span';

/** `SERVER` answers a request, `CLIENT` sends one, `CONSUMER` does work that a row has handed over. */
export type SpanKind = 'SERVER' | 'CLIENT' | 'CONSUMER' | 'INTERNAL';

/** The description of a span that begins. */
export interface SpanOptions {
  readonly kind: SpanKind;
  /** The traceparent of its parent; null for the first span of a trace. By default the current span. */
  readonly parent?: string | null | undefined;
  /** The traceparent of another span that has caused it. */
  readonly link?: string | null | undefined;
  readonly attributes?: SpanAttributes;
}

/** What begins spans and exports them: the OpenTelemetry SDK, which is loaded only when tracing is on. */
export interface Tracer {
  /** An invalid parent counts as none. */
  begin(name: string, options: SpanOptions & { readonly parent: string | null }): Span;
  /** Exports what has ended, and ends. */
  close(): Promise<void>;
}
