/** The value, when all are the same (by `key`); undefined for none, or for contradictory ones. */
export function onlyValue<T>(values: readonly T[], key: (value: T) => unknown = (value) => value): T | undefined {
  return new Set(values.map(key)).size === 1 ? values[0] : undefined;
}
