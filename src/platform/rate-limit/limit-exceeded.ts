import { ThrottlerException } from '@nestjs/throttler';
import type { Quota } from './rate-limit-headers';

/** The throttler's exception with what we say about it: the code, which limit it is, and how long to wait (decisions 2). */
export class LimitExceeded extends ThrottlerException {
  constructor(
    readonly code: string,
    readonly quota: Quota,
  ) {
    super();
  }
}
