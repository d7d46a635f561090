import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestScope } from './request-scope';
import type { Span } from './span';

/** Identifiers of the work that is going on, as fields of log lines. No personal data and no secrets. */
export type LogFields = Readonly<Record<string, string>>;

interface WorkScope {
  readonly logFields: LogFields;
  readonly span?: Span | undefined;
}

/** The work that is going on outside of a request, or as a part of it. That of a request is its `RequestScope`. */
const storage = new AsyncLocalStorage<WorkScope>();

const currentScope = (): WorkScope | undefined => storage.getStore() ?? RequestScope.get();

/** Runs work whose log lines have these fields, beside those of the work that surrounds it. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  const scope = currentScope();
  return storage.run({ logFields: { ...scope?.logFields, ...fields }, span: scope?.span }, work);
}

/** Runs work as a span, whose trace is a field of its log lines. */
export function withSpan<T>(span: Span, work: () => T): T {
  return storage.run({ logFields: { ...currentScope()?.logFields, trace_id: span.traceId }, span }, work);
}

/** Adds fields to all further lines of the current request, among them the line about the request itself. */
export function addRequestFields(fields: LogFields): void {
  Object.assign(RequestScope.get()?.logFields ?? {}, fields);
}

export const currentLogFields = (): LogFields | undefined => currentScope()?.logFields;

/** The innermost span of the work that is going on; undefined while nothing is traced. */
export const currentSpan = (): Span | undefined => currentScope()?.span;

/** For the row that hands work over to another process. */
export const currentTraceparent = (): string | null => currentSpan()?.traceparent ?? null;
