import { readFileSync } from 'node:fs';
import { findDescription } from '../openapi-validator';

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Reports where a fake's objects differ in shape from Stripe's own example objects. */
export class ExampleShapes {
  private constructor(private readonly examples: Examples) {}

  /** Null when the examples are not on this machine. */
  static find(name: string): ExampleShapes | null {
    const path = findDescription(name);
    return path === null
      ? null
      : new ExampleShapes((JSON.parse(readFileSync(path, 'utf8')) as { resources: Examples }).resources);
  }

  violations(body: unknown): string[] {
    const { object, data } = body as { object?: string; data?: unknown[] };
    if (object === 'list') return (data ?? []).flatMap((item) => this.violations(item));
    const example = this.examples[object ?? ''];
    return example ? compare(example, body, object!) : [`${object}: no such object`];
  }
}

function compare(example: unknown, value: unknown, at: string): string[] {
  // An example that is null, empty or an id does not show the other possible values.
  if (example === null || value === null || (typeof example === 'string' && typeof value === 'object')) return [];
  if (Array.isArray(example)) return Array.isArray(value) ? [] : [`${at}: no list`];
  if (typeof example !== typeof value) return [`${at}: ${JSON.stringify(value)} is no ${typeof example}`];
  if (typeof example !== 'object') return [];
  return Object.entries(value as object).flatMap(([name, member]) =>
    name in example
      ? compare((example as Record<string, unknown>)[name], member, `${at}.${name}`)
      : [`${at}.${name}: not in the example`],
  );
}
