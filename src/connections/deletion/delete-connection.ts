import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import type { ConnectionRecord } from '../state/connection-record';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { deleteConnections } from './delete-connections';

/**
 * `DELETE /v1/connections/{uuid}` (spec 4.4): deletes the connection with everything that belongs to it, in one transaction. A
 * running fetch stops at its next document because the row no longer exists.
 */
@Injectable()
export class DeleteConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly changes: ConnectionChangeLog,
  ) {}

  /** @throws ApiError 404 when a concurrent request has deleted it */
  async delete(caller: Caller, connection: ConnectionRecord): Promise<void> {
    const { uuid, environmentUuid } = connection;
    await this.em.fork().transactional(async (em) => {
      const lock = 'select uuid from connection where uuid = $1 and environment_uuid = $2 for update';
      const locked = await sql(em, lock, [uuid, environmentUuid]);
      if (locked.length === 0) throw notFound('CONNECTION_NOT_FOUND');
      await deleteConnections(em, [uuid]);
      this.changes.record(em, caller, connection, {
        action: 'delete',
        // Its owner is needed for a signed return URL that still refers to it (decisions 3).
        details: { integration_id: connection.integrationId, identity_uuid: connection.identityUuid },
      });
    });
  }
}
