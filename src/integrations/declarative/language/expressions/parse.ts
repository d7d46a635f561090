import { type Argument, type Converter, CONVERTERS } from './converters';
import { compileCondition, type Condition } from './conditions';
import { type Evaluate, ExpressionError, follow, present, type Scope, type Step } from './evaluate';
import type { Names } from './names';

/** Longer texts and deeper parentheses are no expressions that a person wrote. */
const MAX_LENGTH = 500;
const MAX_DEPTH = 20;

const NAME = /[\p{L}_@][\p{L}\p{N}_@-]*/uy;
const SELECTOR = /\[(?:(\d{1,4})|([\p{L}_][\p{L}\p{N}_-]*)([$^]?=)([^\]]*))\]/uy;
const WORD = /[^\s|()?]+/y;
const QUOTED = /'([^']*)'/y;

/**
 * Compiles an expression. Grammar: `chain ?? chain …`, the first that has a value; a chain is a value and converters,
 * `value | converter arguments | …`; a value is a path (`contact.name`, `taxes[0].rate`, `ids[type=vat].value`, `.` for the whole),
 * a variable (`$id`), a text in single quotes, or an expression in parentheses.
 * @throws ExpressionError
 */
export function parseExpression(text: string, names: Names): Evaluate {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`an expression has at most ${MAX_LENGTH} characters`);
  const parser = new Parser(text, names);
  const evaluate = parser.alternatives(0);
  parser.end();
  return evaluate;
}

/** Compiles a condition (`conditions.ts`). @throws ExpressionError */
export function parseCondition(text: string, names: Names): Condition {
  return compileCondition(text, (expression) => parseExpression(expression, names));
}

class Parser {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly names: Names,
  ) {}

  end(): void {
    this.space();
    if (this.at < this.text.length) throw this.error(`"${this.text.slice(this.at)}" is not understood`);
  }

  alternatives(depth: number): Evaluate {
    if (depth > MAX_DEPTH) throw this.error('there are too many parentheses');
    const chains = [this.chain(depth)];
    while (this.takes('??')) chains.push(this.chain(depth));
    if (chains.length === 1) return chains[0]!;
    return (scope) => {
      for (const chain of chains) {
        const value = chain(scope);
        if (value !== undefined) return value;
      }
      return undefined;
    };
  }

  private chain(depth: number): Evaluate {
    let evaluate = this.value(depth);
    while (this.takes('|')) evaluate = this.converted(evaluate, depth);
    return evaluate;
  }

  private value(depth: number): Evaluate {
    this.space();
    if (this.takes('(')) {
      const inner = this.alternatives(depth + 1);
      if (!this.takes(')')) throw this.error('a ")" is missing');
      return inner;
    }
    const quoted = this.match(QUOTED);
    if (quoted) return () => quoted[1];
    if (this.takes('$')) return this.variable();
    this.names.recordReads++;
    if (this.takes('.')) return ({ record }) => present(record);
    const steps = this.path(this.name());
    return ({ record }) => follow(record, steps);
  }

  private variable(): Evaluate {
    const name = this.name();
    const known = this.names.find(name);
    if (known === undefined) {
      const all = this.names.all.map((each) => `$${each}`).join(', ');
      throw this.error(`there is no $${name} here${all === '' ? '' : `; there is ${all}`}`);
    }
    const steps = this.path();
    if (known === null) return ({ variables }) => follow(variables[name], steps);
    this.names.recordReads++;
    return steps.length === 0 ? known : (scope) => follow(known(scope), steps);
  }

  private path(first?: string): Step[] {
    const steps: Step[] = first === undefined ? [] : [{ name: first }];
    for (;;) {
      const selector = this.match(SELECTOR);
      if (selector) {
        const [, index, member, operator, text] = selector;
        steps.push(
          index === undefined ? { member: member!, operator: operator!, text: text! } : { index: Number(index) },
        );
      } else if (this.text[this.at] === '.') {
        this.at++;
        steps.push({ name: this.name() });
      } else return steps;
    }
  }

  private converted(input: Evaluate, depth: number): Evaluate {
    this.space();
    const name = this.name();
    const converter = Object.hasOwn(CONVERTERS, name) ? CONVERTERS[name] : undefined;
    if (!converter) throw this.error(`there is no converter ${name}; there is ${Object.keys(CONVERTERS).join(', ')}`);
    const given = this.argument(name, converter, depth);
    return (scope: Scope) => {
      const value = input(scope);
      return value === undefined && !converter.acceptsAbsent
        ? undefined
        : present(converter.apply(value, given, scope));
    };
  }

  private argument(name: string, { takes }: Converter, depth: number): Argument {
    const given: Argument = { value: () => undefined, words: [], condition: () => false };
    if (takes === 'none') return given;
    if (takes === 'value') return { ...given, value: this.value(depth) };
    const words: string[] = [];
    for (;;) {
      this.space();
      const word = this.match(WORD);
      if (!word) break;
      words.push(word[0]);
    }
    if (words.length === 0) throw this.error(`${name} needs an argument`);
    if (takes === 'words') return { ...given, words };
    return { ...given, condition: parseCondition(words.join(' '), this.names) };
  }

  private name(): string {
    const found = this.match(NAME);
    if (!found) throw this.error(`a name is missing at "${this.text.slice(this.at)}"`);
    return found[0];
  }

  private takes(mark: string): boolean {
    this.space();
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private space(): void {
    while (this.text[this.at] === ' ') this.at++;
  }

  private error(sentence: string): ExpressionError {
    return new ExpressionError(`"${this.text}": ${sentence}`);
  }
}
