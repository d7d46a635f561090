import { ThrottlerException, type ThrottlerLimitDetail } from '@nestjs/throttler';

/** The throttler's exception with what we say about it: which limit, and how long to wait (contract 2). */
export class LimitExceeded extends ThrottlerException {
  constructor(
    readonly code: string,
    readonly detail: ThrottlerLimitDetail,
  ) {
    super();
  }
}
