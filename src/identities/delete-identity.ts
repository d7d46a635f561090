import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../platform/audit/audit';
import type { Caller } from '../platform/http/access/access.decorator';
import { notFound } from '../platform/errors/errors';
import { countConnections } from './count-connections';
import { Identity } from './identity.entity';

/**
 * `DELETE /v1/identities/{identity_uuid}` (decisions 5): one row is deleted here, and everything that points to it follows
 * in the same transaction, through the foreign keys of the rooms to the right; the data keys of its connections go with
 * them. Its tokens die at once, and a running fetch finds its connection gone at the next document.
 */
@Injectable()
export class DeleteIdentity {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 404 when somebody else was faster */
  async run({ environmentUuid, actor }: Caller, { uuid }: Identity): Promise<void> {
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
