import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';
import { Connection } from '../state/connection.entity';
import { RecordChange } from '../state/record-change';

/**
 * `DELETE /v1/connections/{uuid}` (spec 4.4): the connection goes with its fetches, transactions and deliveries, and its
 * data key with everything that it seals, in one transaction; the database sees to that, so that an identity can take its
 * connections with it. A running fetch finds the row gone at its next document.
 */
@Injectable()
export class DeleteConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly record: RecordChange,
  ) {}

  async run(caller: Caller, connection: ConnectionFacts): Promise<void> {
    const { uuid } = connection;
    await this.em.fork().transactional(async (em) => {
      const deleted = await em.nativeDelete(Connection, { uuid });
      if (deleted === 0) throw notFound('CONNECTION_NOT_FOUND'); // somebody else was faster
      this.record.run(em, caller, connection, {
        action: 'delete',
        // Who it belonged to: a signed return address may still speak of it (decisions 3).
        details: { integration_id: connection.integrationId, identity_uuid: connection.identityUuid },
      });
    });
  }
}
