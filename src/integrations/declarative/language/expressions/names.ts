import type { Evaluate } from './evaluate';

/** The variables that expressions at one place may name. */
export class Names {
  /** How often expressions with these names read the record, directly or through a definition. */
  recordReads = 0;

  private constructor(private readonly known: ReadonlyMap<string, Evaluate | null>) {}

  static of(...names: readonly string[]): Names {
    return new Names(new Map(names.map((name) => [name, null])));
  }

  /** These and more, with a count of its own. */
  with(...names: readonly string[]): Names {
    return new Names(new Map([...this.known, ...names.map((name): [string, null] => [name, null])]));
  }

  /** With a name for an expression. */
  define(name: string, evaluate: Evaluate): Names {
    return new Names(new Map([...this.known, [name, evaluate]]));
  }

  /** The expression that a name stands for; null for a value that is only known later, undefined for an unknown name. */
  find(name: string): Evaluate | null | undefined {
    return this.known.get(name);
  }

  get all(): readonly string[] {
    return [...this.known.keys()];
  }
}
