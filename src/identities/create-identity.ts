import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuid } from 'uuid';
import { Audit } from '../platform/audit/audit';
import { Clock } from '../platform/clock/clock';
import { violatedConstraint } from '../platform/database/sql';
import type { Caller } from '../platform/http/access/access.decorator';
import { assertWholeEnvironment } from '../platform/http/access/token-scope';
import { unprocessable } from '../platform/errors/errors';
import type { CreateIdentityDto } from './identity.dto';
import { Identity } from './identity.entity';

/** `POST /v1/identities`: returns the existing identity if it has the same data, and rejects other data for the same `client_identifier`. */
@Injectable()
export class CreateIdentity {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 422 `CLIENT_IDENTIFIER_TAKEN` */
  async create(caller: Caller, dto: CreateIdentityDto): Promise<{ identity: Identity; created: boolean }> {
    assertWholeEnvironment(caller);
    const given = {
      clientIdentifier: dto.client_identifier,
      displayName: dto.display_name ?? null,
      type: dto.type ?? null,
      metadata: dto.metadata ?? {},
    };
    const existing = await this.find(caller, given.clientIdentifier);
    if (existing) return { identity: assertSame(existing, given), created: false };
    try {
      return { identity: await this.insert(caller, given), created: true };
    } catch (error) {
      if (violatedConstraint(error) === null) throw error;
      // A concurrent request has created it.
      const concurrent = await this.find(caller, given.clientIdentifier);
      if (!concurrent) throw error;
      return { identity: assertSame(concurrent, given), created: false };
    }
  }

  private find(caller: Caller, clientIdentifier: string): Promise<Identity | null> {
    return this.em.fork().findOne(Identity, { environmentUuid: caller.environmentUuid, clientIdentifier });
  }

  private insert(caller: Caller, given: IdentityData): Promise<Identity> {
    const now = this.clock.now();
    return this.em.fork().transactional(async (em) => {
      const identity = em.create(Identity, {
        uuid: uuid(),
        environmentUuid: caller.environmentUuid,
        ...given,
        createdAt: now,
        updatedAt: now,
      });
      em.persist(identity);
      this.audit.record(em, {
        environmentUuid: caller.environmentUuid,
        actor: caller.actor,
        action: 'identity.create',
        subjectUuid: identity.uuid,
      });
      return identity;
    });
  }
}

type IdentityData = Pick<Identity, 'clientIdentifier' | 'displayName' | 'type' | 'metadata'>;

/** @throws ApiError 422 `CLIENT_IDENTIFIER_TAKEN` when the stored data differ */
function assertSame(identity: Identity, given: IdentityData): Identity {
  const { clientIdentifier, displayName, type, metadata } = identity;
  const stored = { clientIdentifier, displayName: displayName ?? null, type: type ?? null, metadata };
  if (!isDeepStrictEqual({ ...stored }, { ...given })) {
    throw unprocessable('CLIENT_IDENTIFIER_TAKEN', {
      errors: [{ field: 'client_identifier', code: 'CLIENT_IDENTIFIER_TAKEN' }],
    });
  }
  return identity;
}
