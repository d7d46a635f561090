import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Audit } from '../platform/audit/audit';
import { Clock } from '../platform/clock/clock';
import { violatedConstraint } from '../platform/database/sql';
import type { Caller } from '../platform/http/access/access.decorator';
import { invalid, notFound, unprocessable } from '../platform/errors/errors';
import type { UpdateIdentityDto } from './identity.dto';
import { Identity } from './identity.entity';
import { MAX_METADATA_KEYS } from './is-metadata';

type IdentityChanges = Partial<Pick<Identity, 'clientIdentifier' | 'displayName' | 'type' | 'metadata'>>;

/** `PATCH /v1/identities/{identity_uuid}` (decisions 5), as a JSON merge patch (RFC 7396). */
@Injectable()
export class UpdateIdentity {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 422 `CLIENT_IDENTIFIER_TAKEN`; 422 when the merged metadata has more than `MAX_METADATA_KEYS` entries */
  async update(caller: Caller, uuid: string, dto: UpdateIdentityDto): Promise<Identity> {
    try {
      return await this.em.fork().transactional((em) => this.applyPatch(em, caller, uuid, dto));
    } catch (error) {
      if (violatedConstraint(error) === null) throw error;
      const errors = [{ field: 'client_identifier', code: 'CLIENT_IDENTIFIER_TAKEN' }];
      throw unprocessable('CLIENT_IDENTIFIER_TAKEN', { errors });
    }
  }

  private async applyPatch(em: EntityManager, caller: Caller, uuid: string, dto: UpdateIdentityDto): Promise<Identity> {
    // The lock prevents a lost update when two requests patch different metadata keys.
    const identity = await em.findOneOrFail(Identity, uuid, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      failHandler: () => notFound('IDENTITY_NOT_FOUND'), // deleted after the guard has read it
    });
    const changed = Object.entries(toChanges(identity, dto)).filter(
      ([name, value]) => !isDeepStrictEqual(identity[name as keyof IdentityChanges] ?? null, value),
    );
    if (changed.length === 0) return identity;
    em.assign(identity, Object.fromEntries(changed));
    identity.updatedAt = this.clock.now();
    this.audit.record(em, {
      environmentUuid: caller.environmentUuid,
      actor: caller.actor,
      action: 'identity.update',
      subjectUuid: uuid,
      details: { changed: changed.map(([name]) => name) },
    });
    return identity;
  }
}

/** The patched properties: an omitted member is unchanged, null clears. */
function toChanges(identity: Identity, dto: UpdateIdentityDto): IdentityChanges {
  return {
    ...(dto.client_identifier !== undefined && { clientIdentifier: dto.client_identifier }),
    ...(dto.display_name !== undefined && { displayName: dto.display_name }),
    ...(dto.type !== undefined && { type: dto.type }),
    ...(dto.metadata !== undefined && { metadata: mergeMetadata(identity.metadata, dto.metadata) }),
  };
}

function mergeMetadata(
  stored: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> | null,
): Record<string, string> {
  if (patch === null) return {};
  const entries = Object.entries({ ...stored, ...patch }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  if (entries.length > MAX_METADATA_KEYS) throw invalid([{ field: 'metadata', code: 'INVALID_METADATA' }]);
  return Object.fromEntries(entries);
}
