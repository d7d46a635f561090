import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Identity } from '../../identities/identity.entity';
import type { OAuthIntegration } from '../../integrations/shared/oauth/oauth-client';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { currentLang } from '../../platform/i18n/lang';
import type { Connection } from '../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from './flow/oauth-flow.entity';
import { OAuthGrant } from './tokens/oauth-grant.entity';

/** How long an `authorization_url` may lie about before somebody opens it. */
export const LINK_SECONDS = 3600;

/**
 * Begins an authorisation, in the caller's transaction: for a new connection, to mend one, or for more scopes. The address
 * it answers leads to a page of ours first, which binds what follows to the browser that opens it.
 */
@Injectable()
export class StartAuthorization {
  constructor(
    private readonly vault: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** `scopes`: all that shall be granted afterwards. Default: what the second step at hand needs. Answers `authorization_url`. */
  async run(
    em: EntityManager,
    caller: Caller,
    connection: Connection,
    { oauth }: OAuthIntegration,
    scopes: readonly string[] = scopesNeeded(oauth, connection.step2),
  ): Promise<string> {
    await em.flush(); // of a new connection, whose key is asked for
    const identity = await em.findOneOrFail(Identity, connection.identityUuid);
    const link = newSecret();
    const now = this.clock.now();
    // The language that the user reads by now, who may have switched it: the way to the provider forgets what the page knew.
    const session = caller.claims ? { ...caller.claims, lang: currentLang() } : null;
    const secrets: FlowSecrets = { codeVerifier: null, session };
    em.persist(
      em.create(OAuthFlow, {
        uuid: uuid(),
        connectionUuid: connection.uuid,
        actor: caller.actor,
        keyUuid: caller.keyUuid,
        sessionGeneration: caller.sessionGeneration ?? identity.sessionGeneration,
        pageDigest: caller.pageDigest ?? null,
        scopes,
        linkDigest: digestOf(link),
        secrets: this.vault.encrypt(await this.vault.key(em, connection.uuid), OAUTH_FLOW, secrets),
        createdAt: now,
        expiresAt: this.clock.in(LINK_SECONDS),
      }),
    );
    return `${this.settings.publicUrl}/oauth/start?link=${link}`;
  }
}

/** Every scope that a connection with this second step has to have. */
export function scopesNeeded(
  oauth: OAuthIntegration['oauth'],
  step2: Readonly<Record<string, unknown>>,
): readonly string[] {
  return [...new Set([...oauth.scopes, ...(oauth.scopesFor?.(step2) ?? [])])];
}

/** Of the scopes that a connection has to have, those that its user has not granted. */
export async function scopesLacking(
  em: EntityManager,
  { uuid: connectionUuid, step2 }: Pick<Connection, 'uuid' | 'step2'>,
  { oauth }: OAuthIntegration,
): Promise<readonly string[]> {
  const granted = (await em.findOne(OAuthGrant, connectionUuid))?.scopes ?? [];
  return scopesMissing(oauth, scopesNeeded(oauth, step2), granted);
}

/** Some providers put their own address before the name that was asked for. */
export const shortName = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1);

/** Of the scopes needed, those that are not granted. */
export function scopesMissing(
  { neverGranted = [] }: OAuthIntegration['oauth'],
  needed: readonly string[],
  granted: readonly string[],
): readonly string[] {
  const names = granted.flatMap((scope) => [scope, shortName(scope)]);
  const has = new Set([...names, ...neverGranted].map((scope) => scope.toLowerCase()));
  return needed.filter((scope) => !has.has(scope.toLowerCase()));
}
