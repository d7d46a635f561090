import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { FETCH_NOW } from '../../connections/state/manual-fetches';
import { Clock } from '../../platform/clock/clock';
import { appendQuotaHeaders } from '../../platform/rate-limit/rate-limit-headers';
import { TransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

/**
 * Says in every answer of fetch-now what is left of its quota (decisions 1), also where nothing was counted: in 409, 422 and
 * in the replay of an `Idempotency-Key`. The errors filter does so in 429.
 */
@Injectable()
export class FetchQuotaHeaders implements NestInterceptor {
  constructor(
    private readonly throttler: TransactionalThrottler,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const tell = () => this.writeHeaders(String(http.getRequest<Request>().params.uuid), http.getResponse<Response>());
    try {
      const body = await lastValueFrom(next.handle());
      await tell();
      return of(body);
    } catch (error) {
      if (!(error instanceof LimitExceeded)) await tell();
      throw error;
    }
  }

  /** The answer itself does not depend on it: without the database it goes without these headers. */
  private async writeHeaders(connectionUuid: string, response: Response): Promise<void> {
    const [allowance] = await this.throttler.look(FETCH_NOW.name, [connectionUuid.toLowerCase()]).catch(() => []);
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
