type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A request body. Swagger UI offers the first one of an operation. */
export interface RequestExample {
  readonly summary: string;
  readonly value: Json;
}

/**
 * A success body, as changes to the body that is built from the schema's examples. Objects are merged, so that a new
 * property of a resource appears in every example automatically; other values, lists and empty objects
 * included, are replaced.
 */
export interface ResponseExample {
  readonly summary: string;
  readonly changes: Json;
}

export interface OperationExamples {
  readonly request?: Readonly<Record<string, RequestExample>>;
  /** By status. */
  readonly responses?: Readonly<Record<string, Readonly<Record<string, ResponseExample>>>>;
}

/** Merges `changes` into `base` by the rules of {@link ResponseExample}. */
export function merged(base: unknown, changes: unknown): unknown {
  if (!isObject(base) || !isObject(changes)) return changes;
  const names = new Set([...Object.keys(base), ...Object.keys(changes)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      !(name in changes) ? base[name] : isEmpty(changes[name]) ? {} : merged(base[name], changes[name]),
    ]),
  );
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
