import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import type { ConnectionRecord } from '../state/connection-record';
import { Connection } from '../state/connection.entity';
import { ConnectionChangeLog } from '../state/connection-change-log';

/**
 * `DELETE /v1/connections/{uuid}` (spec 4.4): deletes the connection with its fetches, transactions, deliveries and data key
 * in one transaction. Foreign keys and triggers do that, so that deleting an identity also deletes its connections. A running
 * fetch stops at its next document because the row no longer exists.
 */
@Injectable()
export class DeleteConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly changes: ConnectionChangeLog,
  ) {}

  async delete(caller: Caller, connection: ConnectionRecord): Promise<void> {
    const { uuid } = connection;
    await this.em.fork().transactional(async (em) => {
      const deleted = await em.nativeDelete(Connection, { uuid });
      if (deleted === 0) throw notFound('CONNECTION_NOT_FOUND'); // a concurrent request has deleted it
      this.changes.record(em, caller, connection, {
        action: 'delete',
        // Its owner is needed for a signed return URL that still refers to it (decisions 3).
        details: { integration_id: connection.integrationId, identity_uuid: connection.identityUuid },
      });
    });
  }
}
