import type { Response } from 'express';
import type { Hit } from './sliding-window';

/** The state of one limit for a caller. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds, like all times of @nestjs/throttler. */
  readonly ttl: number;
  /** Hits in the window, including this request; above `limit` when it was rejected. */
  readonly totalHits: number;
  /** Seconds until another hit is available. */
  readonly resetSeconds: number;
}

/** The quota of a throttler after a counted or rejected hit. */
export const quotaOf = (name: string, limit: number, ttl: number, hit: Hit): Quota => ({
  ...{ name, limit, ttl, totalHits: hit.totalHits },
  resetSeconds: hit.isBlocked ? hit.timeToBlockExpire : hit.timeToExpire,
});

/** Adds a limit to `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10); several limits may apply. */
export function appendQuotaHeaders(response: Response, { name, limit, ttl, totalHits, resetSeconds }: Quota): void {
  response.append('RateLimit-Policy', `"${name}";q=${limit};w=${ttl / 1000}`);
  response.append('RateLimit', `"${name}";r=${Math.max(0, limit - totalHits)};t=${resetSeconds}`);
}

/** Whether {@link appendQuotaHeaders} has added a limit. */
export const hasQuotaHeaders = (response: Response, name: string): boolean =>
  String(response.getHeader('RateLimit-Policy')).includes(`"${name}"`);
