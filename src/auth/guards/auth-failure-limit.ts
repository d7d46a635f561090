import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage, minutes, normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import { Settings } from '../../platform/config/settings';
import { ApiError } from '../../platform/errors/errors';
import { quotaOf } from '../../platform/rate-limit/rate-limit-headers';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

const NAME = 'failed-authentication';
/** An IPv6 network of this length belongs to one customer. */
const IPV6_PREFIX = 64;
/** What looks like trying keys out. Nothing sent, or a token that has merely expired, does not. */
const GUESSES = ['INVALID_API_KEY', 'INVALID_TOKEN'];

/**
 * Failed authentications are limited per address (decisions 3). Only they: a good credential passes, however many bad ones
 * come from the same address, so nobody locks out others behind the same proxy.
 */
@Injectable()
export class AuthFailureLimit {
  constructor(
    @InjectThrottlerStorage() private readonly storage: ThrottlerStorage,
    private readonly settings: Settings,
  ) {}

  /** @throws LimitExceeded when `error` is a failed authentication too many */
  async count(request: Request, error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || !GUESSES.includes(error.code)) return;
    const [tracker, limit, ttl] = [
      normalizeIp(request.ip ?? '', IPV6_PREFIX),
      this.settings.rateLimitFailures,
      minutes(1),
    ];
    const hit = await this.storage.increment(tracker, ttl, limit, ttl, NAME);
    if (hit.isBlocked) throw new LimitExceeded('RATE_LIMITED', quotaOf(NAME, limit, ttl, hit));
  }
}
