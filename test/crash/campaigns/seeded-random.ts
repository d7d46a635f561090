/** Reproducible random numbers: the same seed gives the same numbers (mulberry32). */
export class SeededRandom {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** Like `Math.random`. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` up to, not including, `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from));
  }
}

/** The seed of this run: `CRASH_SEED`, or another one each time. Printed, so that a failure can be repeated. */
export function seedOfRun(): number {
  const given = process.env.CRASH_SEED;
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`CRASH_SEED=${seed}\n`);
  return seed;
}
