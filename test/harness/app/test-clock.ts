import { Clock } from '../../../src/platform/clock/clock';

/** The real time with an offset that tests set. */
export class TestClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** Moves time forward (or back) by seconds. */
  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
