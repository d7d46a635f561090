import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import type { EnvironmentKind } from '../../identities/environments/setting-values';
import { Clock } from '../../platform/clock/clock';
import { prepared, sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type EnvironmentFence, environmentFenced } from '../../platform/errors/environment-fence';
import { forbidden, unauthorized } from '../../platform/errors/errors';
import type { KeyScope } from '../../platform/http/access/key-scope';
import { isInIpRanges } from '../../platform/network/addresses/ip-ranges';
import { isAcceptedKey } from './api-key.entity';

/** `df_<live|test>_<43 base64url characters>` (decisions 3). */
export const API_KEY_FORMAT = /^df_(?:live|test)_[A-Za-z0-9_-]{43}$/;

/** The precision of `last_used_at`, so that a frequently used key does not cause a write per request. */
const LAST_USED_PRECISION_SECONDS = 60;

/** Only the digest is stored. The key has 256 random bits, so a fast hash is sufficient. */
export const digestOf = (key: string): string => hash('sha256', key, 'hex');

interface Found {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly kind: EnvironmentKind;
  readonly fence: EnvironmentFence | null;
  readonly scopes: KeyScope[] | null;
  readonly allowed_ips: string[] | null;
  readonly stale: boolean;
}

/** decisions 3. @throws ApiError 403 `ADDRESS_NOT_ALLOWED` */
export function assertAddressAllowed(allowed: readonly string[] | null, address: string | undefined): void {
  if (allowed && !isInIpRanges(allowed, address)) throw forbidden('ADDRESS_NOT_ALLOWED');
}

/** Authenticates an API key. */
@Injectable()
export class AuthenticateKey {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * @param address where the request comes from
   * @throws ApiError 401 `INVALID_API_KEY` when it is unknown, revoked or expired; 403 `ADDRESS_NOT_ALLOWED`; 500 while its environment
   * is moved
   */
  async authenticate(key: string, address: string | undefined): Promise<Caller> {
    if (!API_KEY_FORMAT.test(key)) throw unauthorized('INVALID_API_KEY');
    const now = this.clock.now();
    const usedBefore = new Date(now.getTime() - LAST_USED_PRECISION_SECONDS * 1000);
    // Queried for every request, so that a revocation takes effect immediately.
    const [found] = await prepared<Found>(
      this.em,
      `select k.uuid, k.environment_uuid, e.kind, e.fence, k.scopes, k.allowed_ips,
         coalesce(k.last_used_at <= $3, true) as stale
       from api_key k join environment e on e.uuid = k.environment_uuid
       where k.digest = $1 and ${isAcceptedKey('k', '$2')}`,
      [digestOf(key), now, usedBefore],
    );
    if (!found) throw unauthorized('INVALID_API_KEY');
    assertAddressAllowed(found.allowed_ips, address);
    if (found.fence) throw environmentFenced(found.fence);
    if (found.stale) await this.noteUse(this.em.fork(), found.uuid, now, usedBefore);
    return {
      environmentUuid: found.environment_uuid,
      isTest: found.kind === 'TEST',
      identityUuid: null,
      onlyConnectionUuid: null,
      onlyIntegrationId: null,
      actor: `key:${found.uuid}`,
      keyUuid: found.uuid,
      scopes: found.scopes,
      credential: found.uuid,
      session: null,
    };
  }

  /** Only one of several concurrent requests writes. */
  private async noteUse(em: EntityManager, uuid: string, now: Date, usedBefore: Date): Promise<void> {
    await sql(
      em,
      'update api_key set last_used_at = $2 where uuid = $1 and (last_used_at is null or last_used_at <= $3)',
      [uuid, now, usedBefore],
    );
  }
}
