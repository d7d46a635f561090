import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OAuthIntegration } from '../../../integrations/shared/oauth/registered-client';
import type { TokenSet } from '../../../integrations/core/oauth-spec';
import { Clock } from '../../../platform/clock/clock';
import { KeyManager } from '../../../platform/crypto/key-manager';
import type { KeyRing } from '../../../platform/crypto/key-ring';
import { isDatabaseUnavailable } from '../../../platform/availability/database-unavailable';
import { affected, jsonb, sql } from '../../../platform/database/sql';
import type { Connection } from '../../state/connection.entity';
import { OAUTH_REVOCATION, OAUTH_TOKENS, OAuthGrant, type StoredTokens } from './oauth-grant.entity';

/** Longer than a request to a token endpoint can take, so that only the lease of a dead process expires. */
const LEASE_SECONDS = 60;
/** Tokens are refreshed this long before their expiry, or in the last quarter of a shorter lifetime. */
const REFRESH_AHEAD_SECONDS = 300;
/** Delay until the next attempt after a failed refresh. */
const RETRY_AFTER_SECONDS = 5;
/** A provider issues a rotated refresh token only once, so committing it is retried while the database is unavailable. */
const MAX_COMMIT_RETRIES = 20;
const COMMIT_RETRY_MS = 1_000;

/** The decrypted tokens of a grant and their state. */
export interface CurrentTokens extends StoredTokens {
  readonly refreshDueAt: Date | null;
  readonly expiresAt: Date | null;
  readonly refreshRejectedAt: Date | null;
  readonly generation: number;
  readonly environmentUuid: string;
}

/** The data keys that encrypt the tokens of a grant. */
export interface TokenKeys {
  readonly tokens: KeyRing;
  /** Null if the provider has no revocation. */
  readonly revocation: KeyRing | null;
}

/** Reads and writes grants. Every change is a compare-and-set; no lock is held during a request to a provider. */
@Injectable()
export class TokenStore {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  async read(connectionUuid: string): Promise<CurrentTokens | null> {
    const em = this.em.fork();
    const grant = await em.findOne(OAuthGrant, connectionUuid);
    if (!grant) return null;
    const { access, refresh } = this.keyManager.decrypt<StoredTokens>(
      await this.keyManager.key(em, connectionUuid),
      OAUTH_TOKENS,
      grant.tokens,
    );
    const { refreshDueAt = null, expiresAt = null, refreshRejectedAt = null, generation, environmentUuid } = grant;
    return { access, refresh, refreshDueAt, expiresAt, refreshRejectedAt, generation, environmentUuid };
  }

  /** To be read before the provider issues tokens, which it may do only once: a KMS that is away then would lose them. */
  async readKeys(
    { uuid, environmentUuid }: Pick<Connection, 'uuid' | 'environmentUuid'>,
    { oauth }: OAuthIntegration,
  ): Promise<TokenKeys> {
    const em = this.em.fork();
    return {
      tokens: await this.keyManager.key(em, uuid),
      revocation: oauth.revokeUrl ? await this.keyManager.key(em, environmentUuid) : null,
    };
  }

  /** The scopes that the user has granted; null if there is no grant. */
  async scopes(connectionUuid: string): Promise<readonly string[] | null> {
    return (await this.em.fork().findOne(OAuthGrant, connectionUuid))?.scopes ?? null;
  }

  /** Acquires the lease to refresh the `expected` tokens. Null if another process holds it, or if the grant has changed since. */
  async acquireLease(
    connectionUuid: string,
    expected: Pick<CurrentTokens, 'generation' | 'refreshRejectedAt'>,
    lease: string,
  ): Promise<string | null> {
    const acquired = await affected(
      this.em.fork(),
      `update oauth_grant set lease_token = $3, leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       where connection_uuid = $1 and generation = $2 and refresh_rejected_at is not distinct from $4
         and (leased_until is null or leased_until < clock_timestamp())`,
      [connectionUuid, expected.generation, lease, expected.refreshRejectedAt],
    );
    return acquired > 0 ? lease : null;
  }

  /** Releases the lease after a failure; the next attempt is delayed. Returns false if the lease was lost. */
  async releaseLease(connectionUuid: string, lease: string, refreshRejectedAt: Date | null): Promise<boolean> {
    const released = await affected(
      this.em.fork(),
      `update oauth_grant set lease_token = null, refresh_rejected_at = coalesce($3, refresh_rejected_at),
         leased_until = case when $3::timestamptz is null then clock_timestamp() + make_interval(secs => ${RETRY_AFTER_SECONDS}) end
       where connection_uuid = $1 and lease_token = $2`,
      [connectionUuid, lease, refreshRejectedAt],
    );
    return released > 0;
  }

  /** Commits refreshed tokens. Null if the lease was lost, or the grant was replaced or deleted. */
  async saveRefreshed(
    connectionUuid: string,
    lease: string,
    keys: TokenKeys,
    previous: CurrentTokens,
    tokens: TokenSet,
  ): Promise<CurrentTokens | null> {
    const next = { access: tokens.accessToken, refresh: tokens.refreshToken ?? previous.refresh };
    const dates = this.expiry(tokens.expiresIn, next);
    const write = async (): Promise<boolean> => {
      const written = await affected(
        this.em.fork(),
        `update oauth_grant set tokens = $3, revocation_token = $4, refresh_due_at = $5, expires_at = $6, refresh_rejected_at = null,
           generation = generation + 1, lease_token = null, leased_until = null
         where connection_uuid = $1 and lease_token = $2`,
        [connectionUuid, lease, ...this.encrypt(keys, next), dates.refreshDueAt, dates.expiresAt],
      );
      return written > 0;
    };
    for (let retriesLeft = MAX_COMMIT_RETRIES; ; retriesLeft--) {
      try {
        const isWritten = await write();
        if (!isWritten) return null;
        const { environmentUuid, generation } = previous;
        return { ...next, ...dates, refreshRejectedAt: null, generation: generation + 1, environmentUuid };
      } catch (error) {
        if (!isDatabaseUnavailable(error) || retriesLeft === 0) throw error;
        await pause(COMMIT_RETRY_MS);
      }
    }
  }

  /** Stores a new authorization in the caller's transaction and replaces an existing one. */
  async saveGrant(
    em: EntityManager,
    { uuid, environmentUuid, integrationId }: Pick<Connection, 'uuid' | 'environmentUuid' | 'integrationId'>,
    given: { keys: TokenKeys; tokens: TokenSet; scopes: readonly string[]; accountId: string },
  ): Promise<void> {
    const stored: StoredTokens = { access: given.tokens.accessToken, refresh: given.tokens.refreshToken };
    const { refreshDueAt, expiresAt } = this.expiry(given.tokens.expiresIn, stored);
    await sql(
      em,
      `insert into oauth_grant (connection_uuid, environment_uuid, integration_id, account_digest, tokens, revocation_token, scopes,
         refresh_due_at, expires_at, generation, granted_at)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, 1, $10)
       on conflict (connection_uuid, environment_uuid) do update set account_digest = excluded.account_digest, tokens = excluded.tokens,
         revocation_token = excluded.revocation_token, scopes = excluded.scopes, refresh_due_at = excluded.refresh_due_at,
         expires_at = excluded.expires_at, refresh_rejected_at = null, generation = oauth_grant.generation + 1, lease_token = null,
         leased_until = null, granted_at = excluded.granted_at`,
      [
        uuid,
        environmentUuid,
        integrationId,
        accountDigest(given.accountId),
        ...this.encrypt(given.keys, stored),
        jsonb(given.scopes),
        refreshDueAt,
        expiresAt,
        this.clock.now(),
      ],
    );
  }

  private encrypt({ tokens, revocation }: TokenKeys, stored: StoredTokens): [Buffer, Buffer | null] {
    const revoked = stored.refresh ?? stored.access;
    return [
      this.keyManager.encrypt(tokens, OAUTH_TOKENS, stored).bytes,
      revocation && this.keyManager.encrypt(revocation, OAUTH_REVOCATION, revoked).bytes,
    ];
  }

  private expiry(
    expiresIn: number | null,
    { refresh }: StoredTokens,
  ): Pick<CurrentTokens, 'refreshDueAt' | 'expiresAt'> {
    if (expiresIn === null) return { refreshDueAt: null, expiresAt: null };
    const ahead = Math.min(REFRESH_AHEAD_SECONDS, expiresIn / 4);
    return {
      refreshDueAt: refresh === null ? null : this.clock.in(expiresIn - ahead),
      expiresAt: this.clock.in(expiresIn),
    };
  }
}

const accountDigest = (accountId: string): Buffer => hash('sha256', accountId, 'buffer');
