import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { FETCH_NOW } from '../../connections/state/fetch-now-quota';
import { Clock } from '../../platform/clock/clock';
import { appendQuotaHeaders, hasQuotaHeaders } from '../../platform/rate-limit/rate-limit-headers';
import { TransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

/**
 * Adds the remaining quota to the responses of fetch-now that count nothing (decisions 1): 409, 422 and the replay of an
 * `Idempotency-Key`. The controller adds it to 202, and the errors filter to 429.
 */
@Injectable()
export class FetchQuotaHeaders implements NestInterceptor {
  constructor(
    private readonly throttler: TransactionalThrottler,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const addHeaders = () =>
      this.writeHeaders(String(http.getRequest<Request>().params.uuid), http.getResponse<Response>());
    try {
      const body = await lastValueFrom(next.handle());
      if (!hasQuotaHeaders(http.getResponse<Response>(), FETCH_NOW.name)) await addHeaders();
      return of(body);
    } catch (error) {
      if (!(error instanceof LimitExceeded)) await addHeaders();
      throw error;
    }
  }

  /** The response does not depend on the headers: they are left out while the database is unavailable. */
  private async writeHeaders(connectionUuid: string, response: Response): Promise<void> {
    const [allowance] = await this.throttler
      .readRemaining(FETCH_NOW.name, [connectionUuid.toLowerCase()])
      .catch(() => []);
    if (!allowance) return;
    const { limit, remaining, resetsAt } = allowance;
    const wait = resetsAt === null ? 0 : (resetsAt.getTime() - this.clock.now().getTime()) / 1000;
    const { name, ttl } = FETCH_NOW;
    appendQuotaHeaders(response, {
      name,
      limit,
      ttl,
      totalHits: limit - remaining,
      resetSeconds: Math.max(0, Math.ceil(wait)),
    });
  }
}
