import type { Zone } from './instants';

/** What an expression can read. */
export interface Scope {
  /** The record, or the answer, to which paths refer. */
  readonly record: unknown;
  /** The values of `$name`. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly zone: Zone;
}

/** A compiled expression. Undefined: the value is missing, null or blank. Never throws and always ends. */
export type Evaluate = (scope: Scope) => unknown;

/** An expression, a condition or a template that is wrong; the message is a sentence without its place. */
export class ExpressionError extends Error {}

/** One step into a value. */
export type Step =
  | { readonly name: string }
  | { readonly index: number }
  | { readonly member: string; readonly operator: string; readonly text: string };

/** A missing, null or blank value counts as absent. */
export function present(value: unknown): unknown {
  return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
}

/** A value as text; objects and lists have none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The value at a path. Through a list, it is that of the first element that has one. */
export function follow(value: unknown, steps: readonly Step[], at = 0): unknown {
  const step = steps[at];
  if (step === undefined) return present(value);
  if (value === null || typeof value !== 'object') return undefined;
  if ('index' in step) return Array.isArray(value) ? follow(value[step.index], steps, at + 1) : undefined;
  if ('member' in step) {
    if (!Array.isArray(value)) return undefined;
    for (const element of value) {
      const own = member(element, step.member);
      if (!matches(own, step.operator, step.text)) continue;
      const found = follow(element, steps, at + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(value)) {
    for (const element of value) {
      const found = follow(element, steps, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return follow(member(value, step.name), steps, at + 1);
}

/** Own members only: an answer cannot reach what objects inherit. */
const member = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

function matches(value: unknown, operator: string, text: string): boolean {
  const own = textOf(value);
  if (operator === '^=') return own.startsWith(text);
  return operator === '$=' ? own.endsWith(text) : own === text;
}
