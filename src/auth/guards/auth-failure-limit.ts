import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage, minutes, normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import { Settings } from '../../platform/config/settings';
import { ApiError } from '../../platform/errors/errors';
import { quotaOf } from '../../platform/rate-limit/rate-limit-headers';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

const NAME = 'failed-authentication';
/** An IPv6 network of this prefix length belongs to one customer. */
const IPV6_PREFIX = 64;
/** Errors that indicate guessing, or a stolen key. Missing credentials and expired tokens do not. */
const GUESSING_ERRORS = [
  'INVALID_API_KEY',
  'INVALID_TOKEN',
  'INVALID_SESSION',
  'INVALID_CONSOLE_LINK',
  'ADDRESS_NOT_ALLOWED',
];

/**
 * Limits failed authentications per address (decisions 3). Valid credentials always pass, so that a client cannot lock out others
 * behind the same proxy.
 */
@Injectable()
export class AuthFailureLimit {
  constructor(
    @InjectThrottlerStorage() private readonly storage: ThrottlerStorage,
    private readonly settings: Settings,
  ) {}

  /** @throws LimitExceeded when `error` is a failed authentication over the limit */
  async count(request: Request, error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || !GUESSING_ERRORS.includes(error.code)) return;
    const [tracker, limit, ttl] = [
      normalizeIp(request.ip ?? '', IPV6_PREFIX),
      this.settings.rateLimitFailures,
      minutes(1),
    ];
    const hit = await this.storage.increment(tracker, ttl, limit, ttl, NAME);
    if (hit.isBlocked) throw new LimitExceeded('RATE_LIMITED', quotaOf(NAME, limit, ttl, hit));
  }
}
