import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DataKey } from '../platform/crypto/data-key.entity';
import { sql } from '../platform/database/sql';
import type { Caller } from '../platform/http/access';
import { notFound } from '../platform/http/errors';
import { Connection } from './connection.entity';
import { RecordChange } from './record-change';

/**
 * `DELETE /v1/connections/{uuid}` (spec 4.4): the connection goes with its fetches, transactions and deliveries, its data
 * key with everything that it seals, in one transaction. A running fetch finds the row gone at its next document.
 */
@Injectable()
export class DeleteConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly record: RecordChange,
  ) {}

  async run(caller: Caller, connection: Connection): Promise<void> {
    const { uuid } = connection;
    await this.em.fork().transactional(async (em) => {
      await sql(em, 'delete from outbox where subject_uuid = $1', [uuid]);
      const deleted = await em.nativeDelete(Connection, { uuid });
      if (deleted === 0) throw notFound('CONNECTION_NOT_FOUND'); // somebody else was faster
      await em.nativeDelete(DataKey, { ownerUuid: uuid });
      this.record.run(em, caller, connection, {
        action: 'delete',
        // Who it belonged to: a signed return address may still speak of it (contract 3).
        details: { integration_id: connection.integrationId, identity_uuid: connection.identityUuid },
      });
    });
  }
}
