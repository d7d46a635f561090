import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { FETCH_NOW } from '../../connections/state/fetch-now-quota';
import { readConnections } from '../../connections/state/read-connections';
import { statusOf } from '../../identities/connection-status';
import { lockServed } from '../../platform/database/served-environment';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { conflict, notFound, unprocessable } from '../../platform/errors/errors';
import { addRequestFields } from '../../platform/request/work-scope';
import type { Quota } from '../../platform/rate-limit/rate-limit-headers';
import { TransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';
import { FetchWakeup } from '../scheduling/fetch-wakeup';
import { queueFetch } from '../scheduling/queue-fetch';

/** spec 4.6 rule 2: a scheduled fetch that is due within this time replaces a manual one. */
const DUE_SOON_SECONDS = 60;
/** A scheduled fetch that is overdue for longer will not start soon, because no worker runs: a manual fetch is accepted. */
const OVERDUE_SECONDS = 120;

/** A queued fetch, and what is left of the quota. */
export interface QueuedFetch {
  readonly uuid: string;
  readonly quota: Quota;
}

/** `POST /v1/connections/{uuid}/fetch-now` (spec 4.6): queues one fetch ahead of the schedule. */
@Injectable()
export class FetchNow {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly wakeup: FetchWakeup,
    private readonly throttler: TransactionalThrottler,
    private readonly audit: Audit,
  ) {}

  /**
   * `actor` is the caller, for the audit log.
   * @throws ApiError 422 `CONNECTION_NOT_ACTIVE`, 409 `SCHEDULED_FETCH_DUE`; LimitExceeded 429 `FETCH_QUOTA_EXCEEDED`
   */
  async queue(connectionUuid: string, actor: string): Promise<QueuedFetch> {
    const queued = await this.em.fork().transactional(async (em) => {
      // The row lock serializes parallel calls, so that each sees the checks and counts of the others.
      const [connection] = await readConnections(em, 'where uuid = $1 for update', [connectionUuid]);
      if (!connection) throw notFound('CONNECTION_NOT_FOUND'); // deleted in the meantime
      await lockServed(em, connection.environmentUuid);
      if (statusOf(connection) !== 'ACTIVE') throw unprocessable('CONNECTION_NOT_ACTIVE'); // rule 3
      this.assertNotDueSoon(connection);
      // rule 5: the last check, in the transaction that creates the fetch: refused requests cost nothing.
      const quota = await this.throttler.hit(em, FETCH_NOW.name, connectionUuid, 'FETCH_QUOTA_EXCEEDED');
      const uuid = await queueFetch(em, connection, 'MANUAL', this.clock.now());
      const { environmentUuid } = connection;
      const details = { fetch_uuid: uuid };
      await this.audit.insert(em, {
        environmentUuid,
        actor,
        action: 'connection.fetch',
        subjectUuid: connectionUuid,
        details,
      });
      return { uuid, quota };
    });
    addRequestFields({ fetch_uuid: queued.uuid });
    this.wakeup.wake();
    return queued;
  }

  private assertNotDueSoon(connection: ConnectionRecord): void {
    if (!connection.nextFetchAt) return;
    const dueIn = (connection.nextFetchAt.getTime() - this.clock.now().getTime()) / 1000;
    if (dueIn > DUE_SOON_SECONDS || dueIn < -OVERDUE_SECONDS) return;
    throw conflict('SCHEDULED_FETCH_DUE', { retryAfterSeconds: dueIn > 0 ? dueIn : dueIn + OVERDUE_SECONDS });
  }
}
