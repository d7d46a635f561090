import { type Evaluate, ExpressionError, type Scope, textOf } from './expressions/evaluate';
import type { Names } from './expressions/names';
import { parseExpression } from './expressions/parse';
import type { JsonTemplate, Template } from './manifest';

/** Matches an expression in braces. */
const HOLE = /\{([^{}]*)\}/g;

/**
 * Compiles a template: a text with expressions in braces, which is absent when one of them is. A template that is one expression
 * keeps the type of its value.
 * @param encode is applied to every value, not to the text around it
 * @throws ExpressionError
 */
export function parseTemplate(
  template: Template,
  names: Names,
  encode: (value: string) => string = (value) => value,
): Evaluate {
  if (typeof template !== 'string') return () => template;
  const holes = [...template.matchAll(HOLE)];
  const texts = template.split(HOLE).filter((_, at) => at % 2 === 0);
  if (texts.some((text) => /[{}]/.test(text))) throw new ExpressionError(`"${template}": a brace is missing`);
  const values = holes.map(([, expression]) => parseExpression(expression!.trim(), names));
  if (values.length === 0) return () => template;
  if (values.length === 1 && texts.every((text) => text === '')) {
    const [value] = values as [Evaluate];
    return (scope) => scalar(value(scope), encode);
  }
  return (scope) => {
    let text = texts[0]!;
    for (const [at, value] of values.entries()) {
      const found = scalar(value(scope), encode);
      if (found === undefined) return undefined;
      text += textOf(found) + texts[at + 1]!;
    }
    return text;
  };
}

/** Objects and lists have no text. */
function scalar(value: unknown, encode: (text: string) => string): unknown {
  if (typeof value === 'string') return encode(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Compiles JSON whose texts are templates; absent members are left out. `{$ids}` as a whole text may be a list. @throws ExpressionError */
export function parseJsonTemplate(template: JsonTemplate, names: Names): (scope: Scope) => unknown {
  if (template === null) return () => null;
  if (typeof template === 'string') {
    const [, whole] = /^\{([^{}]*)\}$/.exec(template) ?? [];
    return whole === undefined ? parseTemplate(template, names) : parseExpression(whole.trim(), names);
  }
  if (typeof template !== 'object') return () => template;
  if (Array.isArray(template)) {
    const items = (template as readonly JsonTemplate[]).map((item) => parseJsonTemplate(item, names));
    return (scope) => items.map((item) => item(scope)).filter((item) => item !== undefined);
  }
  const members = Object.entries(template).map(([name, value]) => [name, parseJsonTemplate(value, names)] as const);
  return (scope): unknown =>
    Object.fromEntries(members.map(([name, value]) => [name, value(scope)]).filter(([, value]) => value !== undefined));
}
