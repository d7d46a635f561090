import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestScope } from './request-scope';

/** Identifiers of the work that is going on, as fields of log lines. No personal data and no secrets. */
export type LogFields = Readonly<Record<string, string>>;

/** The fields of all log lines that are written meanwhile. Those of a request are its own (`RequestScope.logFields`). */
const storage = new AsyncLocalStorage<LogFields>();

/** Runs work whose log lines have these fields, beside those of the work that surrounds it. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return storage.run({ ...currentLogFields(), ...fields }, work);
}

/** Adds fields to all further lines of the current request, among them the line about the request itself. */
export function addRequestFields(fields: LogFields): void {
  Object.assign(RequestScope.get()?.logFields ?? {}, fields);
}

export function currentLogFields(): LogFields | undefined {
  return storage.getStore() ?? RequestScope.get()?.logFields;
}
