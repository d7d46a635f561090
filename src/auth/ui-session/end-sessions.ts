import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Identity } from '../../identities/identity.entity';
import { Audit } from '../../platform/audit/audit';
import { affected } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';

/**
 * `DELETE /v1/identities/{identity_uuid}/sessions` (decisions 3): revokes every UI token of the identity, immediately
 * in every process.
 */
@Injectable()
export class EndSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 404 `IDENTITY_NOT_FOUND` when it was deleted after the access check */
  async end({ environmentUuid, actor }: Caller, { uuid }: Identity): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const statement = 'update identity set session_generation = session_generation + 1 where uuid = $1';
      if ((await affected(em, statement, [uuid])) === 0) throw notFound('IDENTITY_NOT_FOUND');
      this.audit.record(em, { environmentUuid, actor, action: 'identity.end-sessions', subjectUuid: uuid });
    });
  }
}
