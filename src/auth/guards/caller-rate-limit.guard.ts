import type { ExecutionContext } from '@nestjs/common';
import { minutes, ThrottlerGuard, type ThrottlerOptions } from '@nestjs/throttler';
import type { Response } from 'express';
import type { Settings } from '../../platform/config/settings';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { quotaOf, appendQuotaHeaders } from '../../platform/rate-limit/rate-limit-headers';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

type Credential = 'token' | 'key' | 'session';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<CallerRequest>();

const perCredential = (name: Credential, limit: number): ThrottlerOptions => ({
  name,
  limit,
  ttl: minutes(1),
  skipIf: (context) => requestOf(context).credentials?.[name] === undefined,
  getTracker: (request) => (request as CallerRequest).credentials![name]!,
});

/** decisions 3: the limits per minute. A request with both credentials counts for both. */
export const generalLimits = (settings: Settings): ThrottlerOptions[] => [
  perCredential('token', settings.rateLimitPerToken),
  perCredential('key', settings.rateLimitPerKey),
  perCredential('session', settings.rateLimitPerKey),
];

/**
 * The general rate limits. It runs after authentication, so that 401 comes first; public routes (health, documentation) are not
 * limited. All routes share one count.
 */
export class CallerRateLimitGuard extends ThrottlerGuard {
  /**
   * Like the base class, but without looking up limits of each route, which costs more than counting and which do not exist. Sets
   * the rate limit headers (decisions 1).
   */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (requestOf(context).credentials === undefined) return true;
    const response = context.switchToHttp().getResponse<Response>();
    for (const { name = '', skipIf, getTracker, ...throttler } of this.throttlers) {
      if (skipIf?.(context)) continue;
      const [limit, ttl] = [Number(throttler.limit), Number(throttler.ttl)];
      const tracker = await getTracker!(requestOf(context), context);
      const quota = quotaOf(name, limit, ttl, await this.storageService.increment(tracker, ttl, limit, ttl, name));
      if (quota.totalHits > limit) throw new LimitExceeded('RATE_LIMITED', quota);
      appendQuotaHeaders(response, quota);
    }
    return true;
  }
}
