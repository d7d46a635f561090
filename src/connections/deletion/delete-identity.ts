import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Identity } from '../../identities/identity.entity';
import { SOURCE_REQUESTS } from '../../identities/source-requests/request-source';
import { Audit } from '../../platform/audit/audit';
import { sql } from '../../platform/database/sql';
import { notFound } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { clearStoredResponses, deleteIdempotencyKeys } from '../../platform/http/idempotency/clear-stored-responses';
import { deleteHits } from '../../platform/rate-limit/transactional-throttler';
import { deleteConnections } from './delete-connections';
import { deleteEvents, lockEvents } from './delete-events';
import { deleteRedeliveries } from './delete-redeliveries';

/**
 * `DELETE /v1/identities/{identity_uuid}` (decisions 5): deletes the identity with all its connections, in one transaction. Its
 * tokens become invalid immediately, and a running fetch stops at its next document because the connection no longer exists.
 */
@Injectable()
export class DeleteIdentity {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 404 when a concurrent request has deleted it */
  async delete({ environmentUuid, actor }: Caller, { uuid }: Identity): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      // No connection can be created from here on.
      const lock = 'select uuid from identity where uuid = $1 and environment_uuid = $2 for update';
      const locked = await sql(em, lock, [uuid, environmentUuid]);
      if (locked.length === 0) throw notFound('IDENTITY_NOT_FOUND');
      const connections = await lockConnections(em, environmentUuid, uuid);
      await deleteRedeliveries(em, 'identity_uuid', [uuid]);
      await deleteConnections(em, connections);
      await deleteSourceRequests(em, uuid);
      await clearStoredResponses(em, [uuid]);
      await deleteIdempotencyKeys(em, uuid);
      await sql(em, 'delete from identity where uuid = $1', [uuid]);
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'identity.delete',
        subjectUuid: uuid,
        details: { connections: connections.length },
      });
    });
  }
}

/** Deletes what the user has asked for, and its limit. */
async function deleteSourceRequests(em: EntityManager, identityUuid: string): Promise<void> {
  await lockEvents(em, [identityUuid]);
  await deleteEvents(em, [identityUuid]);
  await deleteHits(em, SOURCE_REQUESTS, [identityUuid]);
}

async function lockConnections(em: EntityManager, environmentUuid: string, identityUuid: string): Promise<string[]> {
  const rows = await sql<{ uuid: string }>(
    em,
    'select uuid from connection where identity_uuid = $1 and environment_uuid = $2 order by uuid for update',
    [identityUuid, environmentUuid],
  );
  return rows.map(({ uuid }) => uuid);
}
