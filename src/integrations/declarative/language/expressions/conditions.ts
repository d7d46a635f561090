import { type Evaluate, ExpressionError, type Scope, textOf } from './evaluate';

export type Condition = (scope: Scope) => boolean;

const COMPARISON = /^([^=!<>|]+?)\s*(!=|>=|<=|=|>|<)\s*(.*)$/;

/**
 * Compiles a condition: `status=open,paid`, `status!=draft`, `total>=0`, or a path alone, which holds when it has a value other than
 * `false`. What is compared has no converters. An absent value is not equal to anything and neither larger nor smaller; `!=` holds for it.
 * @param parse compiles the expressions in it
 * @throws ExpressionError
 */
export function compileCondition(text: string, parse: (expression: string) => Evaluate): Condition {
  const [, left, operator, right] = COMPARISON.exec(text) ?? [];
  if (left === undefined || right === undefined) {
    const value = parse(text);
    return (scope) => {
      const found = value(scope);
      return found !== undefined && found !== false;
    };
  }
  const value = parse(left);
  if (operator === '=' || operator === '!=') {
    const values = new Set(right.split(',').map((each) => each.trim()));
    return (scope) => {
      const found = value(scope);
      return (found !== undefined && values.has(textOf(found))) === (operator === '=');
    };
  }
  const limit = Number(right);
  if (right === '' || Number.isNaN(limit)) throw new ExpressionError(`"${text}": "${right}" is no number`);
  return (scope) => {
    const found = value(scope);
    const number = typeof found === 'number' ? found : typeof found === 'string' ? Number(found) : NaN;
    if (operator === '>') return number > limit;
    if (operator === '>=') return number >= limit;
    return operator === '<' ? number < limit : number <= limit;
  };
}
