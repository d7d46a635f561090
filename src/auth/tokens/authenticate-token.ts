import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { parseCookies, readPageCookie } from '../../connections/oauth/oauth-cookies';
import type { EnvironmentKind } from '../../identities/environments/setting-values';
import { Settings } from '../../platform/config/settings';
import { digestOf } from '../../platform/crypto/signed-token';
import { prepared } from '../../platform/database/sql';
import { type EnvironmentFence, environmentFenced } from '../../platform/errors/environment-fence';
import { unauthorized } from '../../platform/errors/errors';
import type { KeyScope } from '../../platform/http/access/key-scope';
import type { UiCaller } from './ui-caller';
import { type UiTokenClaims, UiTokens } from './ui-tokens';

interface Found {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly kind: EnvironmentKind;
  readonly fence: EnvironmentFence | null;
  readonly scopes: KeyScope[] | null;
}

/** Authenticates a UI token (decisions 3). */
@Injectable()
export class AuthenticateToken {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: UiTokens,
    private readonly settings: Settings,
  ) {}

  /** @throws ApiError 401 `TOKEN_EXPIRED`, or `INVALID_TOKEN` also when it has been revoked */
  async authenticate(token: string): Promise<UiCaller> {
    return this.callerOf(this.tokens.verify(token));
  }

  /** The same for a request: with the browser of the hosted UI that sends it, if it does. */
  async authenticateRequest(token: string, { headers }: Pick<Request, 'headers'>): Promise<UiCaller> {
    const caller = await this.authenticate(token);
    // Missing in frames and in pages of other origins.
    const cookie = readPageCookie(parseCookies(headers.cookie), this.settings.publicUrl);
    return { ...caller, pageDigest: cookie === null ? null : digestOf(cookie) };
  }

  /**
   * The caller that these claims stand for.
   * @throws ApiError 401 `INVALID_TOKEN` when the identity has been deleted, its sessions have been ended, or the key that
   * issued the token has been revoked; 500 while its environment is moved
   */
  async callerOf(claims: UiTokenClaims): Promise<UiCaller> {
    // Queried for every request, so that a revocation takes effect immediately in every process.
    const [identity] = await prepared<Found>(
      this.em,
      `select i.uuid, i.environment_uuid, e.kind, e.fence, k.scopes
       from identity i join environment e on e.uuid = i.environment_uuid
         join api_key k on k.uuid = $2 and k.environment_uuid = i.environment_uuid and k.revoked_at is null
       where i.uuid = $1 and i.session_generation = $3`,
      [claims.sub, claims.key_uuid, claims.session_generation],
    );
    if (!identity) throw unauthorized('INVALID_TOKEN');
    if (identity.fence) throw environmentFenced(identity.fence);
    return {
      environmentUuid: identity.environment_uuid,
      isTest: identity.kind === 'TEST',
      identityUuid: identity.uuid,
      onlyConnectionUuid: claims.connection_uuid ?? null,
      onlyIntegrationId: claims.integration_id ?? null,
      actor: `token:${identity.uuid}`,
      keyUuid: claims.key_uuid,
      scopes: identity.scopes,
      sessionGeneration: claims.session_generation,
      claims,
      credential: claims.jti,
      session: null,
      consoleSessionUuid: claims.console_session,
    };
  }
}
