import { Injectable } from '@nestjs/common';

/** The time. Rules that depend on it ask here, so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Seconds from now on, as a time. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
