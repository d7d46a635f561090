import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { days } from '@nestjs/throttler';
import { Audit } from '../../platform/audit/audit';
import { unauthorized } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { Outbox } from '../../platform/outbox/outbox';
import type { Quota } from '../../platform/rate-limit/rate-limit-headers';
import {
  defineTransactionalThrottler,
  TransactionalThrottler,
} from '../../platform/rate-limit/transactional-throttler';
import { lockIdentityForShare } from '../lock-identity';

/** One user cannot flood a client: at most 10 requests of an identity within any 24 hours. */
export const SOURCE_REQUESTS = defineTransactionalThrottler({ name: 'source-requests', limit: 10, ttl: days(1) });

/** Data of the event `source.requested` (decisions 9). */
export interface SourceRequestedData {
  readonly identity_uuid: string;
  /** As the user wrote it. */
  readonly text: string;
}

/** `POST /v1/ui/source-requests` (decisions 5): records the event `source.requested`, which is deleted with the identity. */
@Injectable()
export class RequestSource {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
    private readonly throttler: TransactionalThrottler,
    private readonly audit: Audit,
  ) {}

  /**
   * Returns the quota of the identity after the request.
   * @throws LimitExceeded 429 `SOURCE_REQUEST_QUOTA_EXCEEDED`; ApiError 401 `INVALID_TOKEN` when the identity has been deleted since
   */
  async request({ environmentUuid, actor }: Caller, identityUuid: string, text: string): Promise<Quota> {
    return this.em.fork().transactional(async (em) => {
      if (!(await lockIdentityForShare(em, environmentUuid, identityUuid))) throw unauthorized('INVALID_TOKEN');
      const { name } = SOURCE_REQUESTS;
      const quota = await this.throttler.hit(em, name, identityUuid, 'SOURCE_REQUEST_QUOTA_EXCEEDED');
      const data: SourceRequestedData = { identity_uuid: identityUuid, text: text.trim() };
      this.outbox.record(em, {
        environmentUuid,
        subjectUuid: identityUuid,
        type: 'source.requested',
        data: { ...data },
      });
      // Without the text: the audit log is kept after the identity is deleted.
      this.audit.record(em, { environmentUuid, actor, action: 'source.request', subjectUuid: identityUuid });
      return quota;
    });
  }
}
