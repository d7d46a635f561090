import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Identity } from '../../identities/identity.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/registered-client';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import type { Caller } from '../../platform/http/access/access.decorator';
import { unprocessable } from '../../platform/errors/errors';
import { currentLang } from '../../platform/i18n/lang';
import type { Connection } from '../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from './flow/oauth-flow.entity';
import { OAuthGrant } from './tokens/oauth-grant.entity';

/** Validity of an `authorization_url` until it is opened. */
export const LINK_SECONDS = 3600;

/** A connection whose user is to authorize us, with its data key. */
export interface AuthorizedConnection {
  readonly connection: Connection;
  readonly dataKey: KeyRing;
}

/**
 * Starts an authorization, in the caller's transaction: for a new connection, to reconnect one, or for more scopes. The
 * returned address opens our own page first, which binds the flow to the browser.
 */
@Injectable()
export class StartAuthorization {
  constructor(
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * `scopes` are all scopes to be granted; by default those that the current second step requires. Returns `authorization_url`.
   * @throws ApiError 422 `NO_API_KEY` for a session of the console while no key of the environment is valid
   */
  async start(
    em: EntityManager,
    caller: Caller,
    { connection, dataKey }: AuthorizedConnection,
    { oauth }: OAuthIntegration,
    scopes: readonly string[] = requiredScopes(oauth, connection.step2),
  ): Promise<string> {
    // The link would not work: it is revoked with the key.
    if (caller.keyUuid === null) throw unprocessable('NO_API_KEY');
    await em.flush(); // a new connection is inserted before the flow, which refers to it
    const identity = await em.findOneOrFail(Identity, connection.identityUuid);
    const link = newSecret();
    const now = this.clock.now();
    // The user may have switched the language since the token was issued, and the page's state is lost during the redirect.
    const session = caller.claims ? { ...caller.claims, lang: currentLang() } : null;
    const secrets: FlowSecrets = { codeVerifier: null, session };
    em.persist(
      em.create(OAuthFlow, {
        uuid: uuid(),
        environmentUuid: connection.environmentUuid,
        connectionUuid: connection.uuid,
        actor: caller.actor,
        keyUuid: caller.keyUuid,
        sessionGeneration: caller.sessionGeneration ?? identity.sessionGeneration,
        pageDigest: caller.pageDigest ?? null,
        scopes,
        linkDigest: digestOf(link),
        secrets: this.keyManager.encrypt(dataKey, OAUTH_FLOW, secrets),
        createdAt: now,
        expiresAt: this.clock.in(LINK_SECONDS),
      }),
    );
    return `${this.settings.publicUrl}/oauth/start?link=${link}`;
  }
}

/** All scopes that a connection with this second step requires. */
export function requiredScopes(
  oauth: OAuthIntegration['oauth'],
  step2: Readonly<Record<string, unknown>>,
): readonly string[] {
  return [...new Set([...oauth.scopes, ...(oauth.scopesFor?.(step2) ?? [])])];
}

/** The required scopes of a connection that its user has not granted. */
export async function missingScopesOf(
  em: EntityManager,
  { uuid: connectionUuid, step2 }: Pick<Connection, 'uuid' | 'step2'>,
  { oauth }: OAuthIntegration,
): Promise<readonly string[]> {
  const granted = (await em.findOne(OAuthGrant, connectionUuid))?.scopes ?? [];
  return missingScopes(oauth, requiredScopes(oauth, step2), granted);
}

/** The name of a scope without the URL prefix that some providers add. */
export const shortName = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1);

/** The required scopes that are not granted. */
export function missingScopes(
  { neverGranted = [] }: OAuthIntegration['oauth'],
  needed: readonly string[],
  granted: readonly string[],
): readonly string[] {
  const names = granted.flatMap((scope) => [scope, shortName(scope)]);
  const has = new Set([...names, ...neverGranted].map((scope) => scope.toLowerCase()));
  return needed.filter((scope) => !has.has(scope.toLowerCase()));
}
