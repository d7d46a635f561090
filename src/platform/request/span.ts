/** Values of a span: identifiers, numbers and codes. Never secrets, paths, names of documents or texts of errors. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What has caused work that a row hands over: its parent, and another span that its own is linked to. */
export interface SpanCauses {
  readonly traceparent: string | null;
  readonly linkedTraceparent: string | null;
}

/** A timed piece of work in a trace. */
export interface Span {
  readonly traceId: string;
  /** Its place in the trace, as W3C Trace Context writes it: the parent of spans elsewhere. */
  readonly traceparent: string;
  rename(name: string): void;
  /** Attributes without a value are left out. */
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. `code` is a constant, never the text of an error. */
  fail(code: string): void;
  end(): void;
}
