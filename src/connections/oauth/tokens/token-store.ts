import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OAuthIntegration } from '../../../integrations/shared/oauth/registered-client';
import type { TokenSet } from '../../../integrations/core/oauth-spec';
import { Clock } from '../../../platform/clock/clock';
import { KeyManager } from '../../../platform/crypto/key-manager';
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
    const { refreshDueAt = null, expiresAt = null, refreshRejectedAt = null, generation } = grant;
    return { access, refresh, refreshDueAt, expiresAt, refreshRejectedAt, generation };
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
    integration: OAuthIntegration,
    previous: CurrentTokens,
    tokens: TokenSet,
  ): Promise<CurrentTokens | null> {
    const next = { access: tokens.accessToken, refresh: tokens.refreshToken ?? previous.refresh };
    const dates = this.expiry(tokens.expiresIn, next);
    const write = async (): Promise<boolean> => {
      const em = this.em.fork();
      const grant = await em.findOne(OAuthGrant, connectionUuid);
      if (!grant) return false;
      const key = await this.keyManager.key(em, connectionUuid);
      const written = await affected(
        em,
        `update oauth_grant set tokens = $3, revocation_token = $4, refresh_due_at = $5, expires_at = $6, refresh_rejected_at = null,
           generation = generation + 1, lease_token = null, leased_until = null
         where connection_uuid = $1 and lease_token = $2`,
        [
          connectionUuid,
          lease,
          this.keyManager.encrypt(key, OAUTH_TOKENS, next).bytes,
          (await this.revocation(em, grant.environmentUuid, integration, next))?.bytes ?? null,
          dates.refreshDueAt,
          dates.expiresAt,
        ],
      );
      return written > 0;
    };
    for (let retriesLeft = MAX_COMMIT_RETRIES; ; retriesLeft--) {
      try {
        const isWritten = await write();
        return isWritten ? { ...next, ...dates, refreshRejectedAt: null, generation: previous.generation + 1 } : null;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || retriesLeft === 0) throw error;
        await pause(COMMIT_RETRY_MS);
      }
    }
  }

  /** Stores a new authorization in the caller's transaction and replaces an existing one. */
  async saveGrant(
    em: EntityManager,
    connection: Pick<Connection, 'uuid' | 'environmentUuid' | 'integrationId'>,
    integration: OAuthIntegration,
    given: { tokens: TokenSet; scopes: readonly string[]; accountId: string },
  ): Promise<void> {
    const { uuid, environmentUuid } = connection;
    const stored: StoredTokens = { access: given.tokens.accessToken, refresh: given.tokens.refreshToken };
    const key = await this.keyManager.key(em, uuid);
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
        integration.id,
        accountDigest(given.accountId),
        this.keyManager.encrypt(key, OAUTH_TOKENS, stored).bytes,
        (await this.revocation(em, environmentUuid, integration, stored))?.bytes ?? null,
        jsonb(given.scopes),
        refreshDueAt,
        expiresAt,
        this.clock.now(),
      ],
    );
  }

  private async revocation(
    em: EntityManager,
    environmentUuid: string,
    { oauth }: OAuthIntegration,
    { access, refresh }: StoredTokens,
  ) {
    if (!oauth.revokeUrl) return null;
    const key = await this.keyManager.key(em, environmentUuid);
    return this.keyManager.encrypt(key, OAUTH_REVOCATION, refresh ?? access);
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
