import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { lockConnection } from '../../connections/access/load-connection';
import { ConnectionChangeLog } from '../../connections/state/connection-change-log';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import { DocumentFailure } from './document-failure.entity';
import { closeAttempts, updateFailureCount } from './record-failures';

/**
 * `POST /v1/connections/{uuid}/failures/{failure_uuid}/dismiss` (decisions 9): the document is neither retried nor counted until
 * the source lists another version of it. Idempotent.
 */
@Injectable()
export class DismissFailure {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly changes: ConnectionChangeLog,
  ) {}

  /** @throws ApiError 404 `FAILURE_NOT_FOUND`, also when the document has been downloaded in the meantime */
  async dismiss(caller: Caller, connection: ConnectionRecord, uuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      // A concurrent fetch records first or sees the dismissal.
      await lockConnection(em, connection.uuid);
      const failure = await em.findOne(DocumentFailure, { uuid, connectionUuid: connection.uuid });
      if (!failure) throw notFound('FAILURE_NOT_FOUND');
      if (failure.dismissedAt) return;
      failure.dismissedAt = this.clock.now();
      await em.flush();
      await closeAttempts(em, connection.uuid, [failure.dedupeKey]);
      await updateFailureCount(em, connection.uuid);
      this.changes.record(em, caller, connection, { action: 'dismiss-failure', details: { failure_uuid: uuid } });
    });
  }
}
