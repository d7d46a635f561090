import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../platform/audit/audit';
import type { Caller } from '../platform/http/access/access.decorator';
import { notFound } from '../platform/errors/errors';
import { countConnections } from './count-connections';
import { Identity } from './identity.entity';

/**
 * `DELETE /v1/identities/{identity_uuid}` (decisions 5). Deletes one row; the foreign keys of the later modules delete
 * everything that refers to it in the same transaction, including the data keys of its connections. Its tokens become
 * invalid immediately, and a running fetch stops at its next document because the connection no longer exists.
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
      const counts = await countConnections(em, [uuid]);
      if ((await em.nativeDelete(Identity, { uuid })) === 0) throw notFound('IDENTITY_NOT_FOUND');
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'identity.delete',
        subjectUuid: uuid,
        details: { connections: counts(uuid).total },
      });
    });
  }
}
