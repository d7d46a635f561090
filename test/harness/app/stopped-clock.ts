import { Clock } from '../../../src/platform/clock/clock';

/** A clock that stands still until it is advanced, so that the edges of a window are exact. */
export class StoppedClock extends Clock {
  constructor(private at = Date.parse('2026-11-20T08:00:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.at);
  }

  moveMs(milliseconds: number): void {
    this.at += milliseconds;
  }
}
