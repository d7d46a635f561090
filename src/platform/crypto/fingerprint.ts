import { createHmac } from 'node:crypto';

/** Closing punctuation between the values of a JSON text. */
class Punctuation {
  constructor(readonly text: string) {}
}

const END_OF_LIST = new Punctuation(']');
const END_OF_OBJECT = new Punctuation('}');

/**
 * A keyed hash of a JSON value, independent of the order of object members. Without the key the value cannot be guessed from
 * the hash, not even a short password. With different `purpose`s, equal values have different hashes.
 */
export function fingerprint(key: Buffer, purpose: string, value: unknown): Buffer {
  const derivedKey = createHmac('sha256', key).update(`fingerprint:${purpose}`).digest();
  return createHmac('sha256', derivedKey).update(canonical(value)).digest();
}

/** Without recursion, because callers control how deep a value is nested. */
function canonical(value: unknown): string {
  const parts: string[] = [];
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const item = ahead.pop();
    if (item instanceof Punctuation) {
      parts.push(item.text);
    } else if (Array.isArray(item)) {
      parts.push('[');
      ahead.push(END_OF_LIST);
      for (let i = item.length - 1; i >= 0; i--) ahead.push(item[i]);
    } else if (typeof item === 'object' && item !== null) {
      const members = Object.entries(item).sort(([a], [b]) => (a < b ? 1 : -1));
      parts.push('{');
      ahead.push(END_OF_OBJECT);
      for (const [name, member] of members) ahead.push(member, new Punctuation(`${JSON.stringify(name)}:`));
    } else {
      parts.push(`${JSON.stringify(item) ?? 'null'},`);
    }
  }
  return parts.join('');
}
