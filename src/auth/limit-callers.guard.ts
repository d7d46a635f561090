import type { ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerOptions, minutes } from '@nestjs/throttler';
import type { Settings } from '../platform/config';
import type { CallerRequest } from '../platform/http/access';
import { LimitExceeded } from '../platform/http/limit-exceeded';

type Credential = 'token' | 'key';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<CallerRequest>();

const perCredential = (name: Credential, limit: number): ThrottlerOptions => ({
  name,
  limit,
  ttl: minutes(1),
  skipIf: (context) => requestOf(context).credentials?.[name] === undefined,
  getTracker: (request) => (request as CallerRequest).credentials![name]!,
});

/** contract 3: so many requests a minute. A request that sends both credentials counts for both. */
export const generalLimits = (settings: Settings): ThrottlerOptions[] => [
  perCredential('token', settings.rateLimitPerToken),
  perCredential('key', settings.rateLimitPerKey),
];

/**
 * The general rate limits. It stands behind the guard that authenticates, so 401 comes first, and what is open to everybody
 * (health, documentation) has no credential to count for. One count for all routes.
 */
export class LimitCallersGuard extends ThrottlerGuard {
  /** As the throttler has it, but without looking for other limits at every route, which costs more than counting: there are none. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await this.shouldSkip(context)) return true;
    for (const throttler of this.throttlers) {
      if (throttler.skipIf?.(context)) continue;
      const [limit, ttl] = [Number(throttler.limit), Number(throttler.ttl)];
      const getTracker = throttler.getTracker!;
      const generateKey = this.generateKey.bind(this);
      await this.handleRequest({ context, throttler, limit, ttl, blockDuration: ttl, getTracker, generateKey });
    }
    return true;
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(requestOf(context).credentials === undefined);
  }

  /** Not per route, as the throttler has it by itself. */
  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return tracker;
  }

  protected override throwThrottlingException(_context: ExecutionContext, detail: ThrottlerLimitDetail): never {
    throw new LimitExceeded('RATE_LIMITED', detail);
  }
}
