import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NIL, validate as isUuid } from 'uuid';
import type { EnvironmentKind } from '../../identities/environments/setting-values';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf } from '../../platform/crypto/signed-token';
import { prepared, sql } from '../../platform/database/sql';
import { type EnvironmentFence, environmentFenced } from '../../platform/errors/environment-fence';
import { forbidden, unauthorized } from '../../platform/errors/errors';
import type { Caller, ConsoleRole } from '../../platform/http/access/access.decorator';
import type { KeyScope } from '../../platform/http/access/key-scope';
import { assertAddressAllowed } from '../keys/authenticate-key';
import { isAcceptedKey } from '../keys/api-key.entity';
import { consoleActor } from './console-actor';
import { isCsrfToken, readSessionCookie } from './session-cookie';

/** The precision of `last_used_at`, so that a frequently used session does not cause a write per request. */
const LAST_USED_PRECISION_SECONDS = 60;

interface Found {
  readonly uuid: string;
  readonly role: ConsoleRole;
  readonly environment_uuid: string;
  /** The environment that the request chooses, with its kind; null when it does not exist. */
  readonly chosen_uuid: string | null;
  readonly kind: EnvironmentKind;
  readonly fence: EnvironmentFence | null;
  readonly key_uuid: string | null;
  /** Of the key that opened it. */
  readonly scopes: KeyScope[] | null;
  readonly allowed_ips: string[] | null;
  readonly stale: boolean;
}

/** Authenticates a session of the console by its cookie, and chooses the environment of the request (decisions 3). */
@Injectable()
export class AuthenticateSession {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Null when the request has no session: the cookie counts only together with `X-CSRF-TOKEN`, unless `cookieSuffices`, and not at
   * all without a console.
   * @throws ApiError 401 `INVALID_SESSION` when it is unknown, has expired or was revoked, or its key no longer works; 403
   * `ADDRESS_NOT_ALLOWED` by its key; 403 `INVALID_CSRF_TOKEN`; 403 `NOT_YOUR_ENVIRONMENT` for another environment of a developer, or one that does not exist
   */
  async authenticate(
    { headers, ip }: Pick<Request, 'headers' | 'ip'>,
    cookieSuffices: boolean,
  ): Promise<Caller | null> {
    if (!this.settings.consoleEnabled) return null;
    const secret = readSessionCookie(headers.cookie, this.settings.publicUrl);
    const csrfToken = headers['x-csrf-token'];
    if (secret === null || (csrfToken === undefined && !cookieSuffices)) return null;
    const found = await this.find(secret, headers['x-environment']);
    if (!found) throw unauthorized('INVALID_SESSION');
    assertAddressAllowed(found.allowed_ips, ip);
    if (!cookieSuffices && !isCsrfToken(secret, String(csrfToken))) throw forbidden('INVALID_CSRF_TOKEN');
    const { uuid, role, chosen_uuid: environmentUuid } = found;
    const isOwn = environmentUuid !== null && (role === 'SUPPORT' || environmentUuid === found.environment_uuid);
    if (!isOwn) throw forbidden('NOT_YOUR_ENVIRONMENT');
    // The support team may look at it; changes are refused to it too (`guardTransactions`).
    if (found.fence && role !== 'SUPPORT') throw environmentFenced(found.fence);
    return {
      environmentUuid,
      isTest: found.kind === 'TEST',
      identityUuid: null,
      onlyConnectionUuid: null,
      onlyIntegrationId: null,
      actor: consoleActor(uuid),
      keyUuid: found.key_uuid,
      scopes: found.scopes,
      credential: uuid,
      session: { uuid, role },
      consoleSessionUuid: uuid,
    };
  }

  /** Queried for every request, so that a revocation takes effect immediately. */
  private async find(secret: string, environment: string | string[] | undefined): Promise<Found | undefined> {
    const chosen = environment === undefined ? null : isUuid(environment) ? environment : NIL;
    const now = this.clock.now();
    const usedBefore = new Date(now.getTime() - LAST_USED_PRECISION_SECONDS * 1000);
    const [found] = await prepared<Found>(
      this.em,
      // UI tokens that the session requests are bound to its key, otherwise to the newest one, if possible one that permits them.
      `select s.uuid, s.role, s.environment_uuid, s.last_used_at <= $4 as stale, e.uuid as chosen_uuid, e.kind, e.fence,
         k.scopes, k.allowed_ips,
         coalesce(s.key_uuid, (select n.uuid from api_key n where n.environment_uuid = e.uuid and ${isAcceptedKey('n', '$2')}
           order by (n.scopes is null or n.scopes @> '{read,write}') desc, n.uuid desc limit 1)) as key_uuid
       from console_session s
         left join environment e on e.uuid = coalesce($3::uuid, s.environment_uuid)
         left join api_key k on k.uuid = s.key_uuid and ${isAcceptedKey('k', '$2')}
       where s.digest = $1 and s.revoked_at is null and s.expires_at > $2 and (s.key_uuid is null or k.uuid is not null)`,
      [digestOf(secret), now, chosen, usedBefore],
    );
    if (found?.stale) await this.noteUse(found.uuid, now, usedBefore);
    return found;
  }

  /** Only one of several concurrent requests writes. */
  private async noteUse(uuid: string, now: Date, usedBefore: Date): Promise<void> {
    await sql(this.em.fork(), 'update console_session set last_used_at = $2 where uuid = $1 and last_used_at <= $3', [
      uuid,
      now,
      usedBefore,
    ]);
  }
}
