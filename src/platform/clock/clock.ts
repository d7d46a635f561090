import { Injectable } from '@nestjs/common';

/** The current time. Rules that depend on time read it here, so that tests can control it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** The time in `seconds` seconds. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
