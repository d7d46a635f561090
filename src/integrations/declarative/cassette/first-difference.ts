/** Where two JSON values differ first, in the order of the first one's members. */
export interface Difference {
  /** `streams.invoice.documents[0].metadata.amount` */
  readonly path: string;
  /** Undefined: it is absent. */
  readonly before: unknown;
  readonly now: unknown;
}

export function firstDifference(before: unknown, now: unknown, path = ''): Difference | null {
  if (Object.is(before, now)) return null;
  if (Array.isArray(before) && Array.isArray(now)) {
    const length = Math.max(before.length, now.length);
    for (let at = 0; at < length; at++) {
      const found = firstDifference(before[at], now[at], `${path}[${at}]`);
      if (found) return found;
    }
    return null;
  }
  if (isObject(before) && isObject(now)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
      const found = firstDifference(before[name], now[name], path === '' ? name : `${path}.${name}`);
      if (found) return found;
    }
    return null;
  }
  return { path, before, now };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_SHOWN = 200;

/** The difference as a sentence without a full stop. */
export function describeDifference({ path, before, now }: Difference): string {
  return `${path}: recorded ${shown(before)}, now ${shown(now)}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}
