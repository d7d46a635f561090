import type { Response } from 'express';
import type { Hit } from './exact-throttler-storage';

/** Where a caller stands with one limit. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds, as everything of @nestjs/throttler. */
  readonly ttl: number;
  /** Counted in the window, this request included; beyond `limit` when it was refused. */
  readonly totalHits: number;
  /** Seconds until a used place is free again. */
  readonly resetSeconds: number;
}

/** The quota of a throttler after it has counted, or refused, a hit. */
export const quotaOf = (name: string, limit: number, ttl: number, hit: Hit): Quota => ({
  ...{ name, limit, ttl, totalHits: hit.totalHits },
  resetSeconds: hit.isBlocked ? hit.timeToBlockExpire : hit.timeToExpire,
});

/** Adds a limit to `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10); several limits may apply. */
export function appendQuotaHeaders(response: Response, { name, limit, ttl, totalHits, resetSeconds }: Quota): void {
  response.append('RateLimit-Policy', `"${name}";q=${limit};w=${ttl / 1000}`);
  response.append('RateLimit', `"${name}";r=${Math.max(0, limit - totalHits)};t=${resetSeconds}`);
}
