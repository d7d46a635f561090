/** A sequence set (RFC 3501 9): ranges of numbers, where `*` is the largest number in use. */
export class SequenceSet {
  private constructor(private readonly ranges: readonly (readonly [from: number | '*', to: number | '*'])[]) {}

  /** Undefined when the text is not a sequence set. */
  static parse(text: string): SequenceSet | undefined {
    const ranges: [number | '*', number | '*'][] = [];
    for (const piece of text.split(',')) {
      const match = /^(\*|[1-9]\d{0,9})(?::(\*|[1-9]\d{0,9}))?$/.exec(piece);
      if (!match) return undefined;
      const [from, to] = [match[1]!, match[2] ?? match[1]!].map((end) => (end === '*' ? '*' : Number(end)));
      if ([from, to].some((end) => typeof end === 'number' && end > 0xffff_ffff)) return undefined;
      ranges.push([from!, to!]);
    }
    return new SequenceSet(ranges);
  }

  /**
   * The members among `numbers` (ascending). `7:*` in a mailbox whose largest number is 5 means `5:7`, which contains 5:
   * it always matches the newest message (RFC 3501 6.4.8).
   */
  among(numbers: readonly number[]): Set<number> {
    const largest = numbers.at(-1) ?? 0;
    const bounds = this.ranges.map(([from, to]) => {
      const [a, b] = [from === '*' ? largest : from, to === '*' ? largest : to];
      return a <= b ? [a, b] : [b, a];
    });
    return new Set(numbers.filter((number) => bounds.some(([low, high]) => number >= low! && number <= high!)));
  }

  /** The largest number that the set contains explicitly. */
  get largestNamed(): number {
    return Math.max(0, ...this.ranges.flat().filter((end) => end !== '*'));
  }
}
