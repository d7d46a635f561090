import { ThrottlerException } from '@nestjs/throttler';
import type { CodeOf } from '../errors/error-codes';
import type { Quota } from './rate-limit-headers';

/** The throttler's exception with the error code and the quota (decisions 2). */
export class LimitExceeded extends ThrottlerException {
  constructor(
    readonly code: CodeOf<429>,
    readonly quota: Quota,
  ) {
    super();
  }
}
