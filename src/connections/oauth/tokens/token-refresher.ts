import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { v4 as randomUuid } from 'uuid';
import type { Session } from '../../../integrations/core/integration';
import { OAuthClient } from '../../../integrations/shared/oauth/oauth-client';
import type { OAuthIntegration } from '../../../integrations/shared/oauth/registered-client';
import type { TokenSet } from '../../../integrations/core/oauth-spec';
import { AuthorizationRevoked } from '../../../integrations/core/source-errors';
import { Clock } from '../../../platform/clock/clock';
import type { Priority } from '../../../platform/network/rate-limiter';
import { type CurrentTokens, type TokenKeys, TokenStore } from './token-store';

/** Interval for polling the result while another process refreshes. */
const POLL_MS = 100;
/** After a rejected refresh, the provider is not asked again for this long, even if many documents need a token. */
const REFUSAL_BACKOFF_MS = 30_000;

/**
 * Provides valid access tokens. Exactly one process refreshes a token ahead of its expiry, and the new refresh token is
 * committed before the new access token is used (ADR 15). A refresh that has started is completed even if its caller has
 * given up, because a provider that rotates refresh tokens has already invalidated the old one.
 */
@Injectable()
export class TokenRefresher implements BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenRefresher.name);
  private readonly pending = new Set<Promise<unknown>>();

  constructor(
    private readonly tokens: TokenStore,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
  ) {}

  /** Returns the access tokens for one session with a provider; a valid token is read only once. */
  forSession(connectionUuid: string, integration: OAuthIntegration, priority: Priority): Session['accessToken'] {
    let current: CurrentTokens | null = null;
    let pendingRead: Promise<CurrentTokens> | null = null;
    return async (refused) => {
      for (;;) {
        if (current && current.access !== refused && !this.isDue(current)) return current.access;
        pendingRead ??= this.getValid(connectionUuid, integration, priority, refused).finally(
          () => (pendingRead = null),
        );
        current = await pendingRead;
        if (current.access !== refused) return current.access; // otherwise the read was started before the refusal
      }
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.pending);
  }

  /** @throws AuthorizationRevoked, ClientRefused, Transient, RateLimited, UnexpectedResponse */
  private async getValid(
    uuid: string,
    integration: OAuthIntegration,
    priority: Priority,
    refused: string | undefined,
  ): Promise<CurrentTokens> {
    for (;;) {
      const current = await this.tokens.read(uuid);
      if (!current) throw new AuthorizationRevoked('There is no authorization.', 'AUTHORIZATION_PENDING');
      const isValid =
        current.access !== refused && (current.expiresAt === null || current.expiresAt > this.clock.now());
      if (isValid && !this.isDue(current)) return current;
      this.assertRefreshable(current, isValid);
      const lease = current.refresh === null ? null : await this.tokens.acquireLease(uuid, current, randomUuid());
      if (lease !== null) {
        const refreshed = await this.track(this.refresh(uuid, integration, priority, current, lease, isValid));
        if (refreshed) return refreshed;
      } else if (isValid) {
        return current; // another process is refreshing it
      } else {
        await pause(POLL_MS);
      }
    }
  }

  /** Null if the grant was changed meanwhile: the caller reads it again. */
  private async refresh(
    uuid: string,
    integration: OAuthIntegration,
    priority: Priority,
    current: CurrentTokens,
    lease: string,
    isValid: boolean,
  ): Promise<CurrentTokens | null> {
    let keys: TokenKeys;
    let tokens: TokenSet;
    try {
      keys = await this.tokens.readKeys({ uuid, environmentUuid: current.environmentUuid }, integration);
      tokens = await this.client.refresh(integration, current.refresh!, priority);
    } catch (error) {
      const isRejected = error instanceof AuthorizationRevoked;
      const isHolder = await this.tokens.releaseLease(uuid, lease, isRejected ? this.clock.now() : null);
      if (!isHolder) return null;
      // The token is still valid, and the failure may be temporary.
      if (isValid && !isRejected) {
        this.logger.warn({ err: error, connection_uuid: uuid }, 'Refreshing a token ahead of its expiry failed');
        return { ...current, refreshDueAt: null };
      }
      throw error;
    }
    return this.tokens.saveRefreshed(uuid, lease, keys, current, tokens);
  }

  private assertRefreshable({ refreshRejectedAt, refresh }: CurrentTokens, isValid: boolean): void {
    const isRecent =
      refreshRejectedAt !== null && this.clock.now().getTime() - refreshRejectedAt.getTime() < REFUSAL_BACKOFF_MS;
    if (isRecent) throw new AuthorizationRevoked('The provider has just rejected refreshing the authorization.');
    if (refresh === null && !isValid) {
      throw new AuthorizationRevoked('The access token has expired, and there is no refresh token.', 'CONSENT_EXPIRED');
    }
  }

  private isDue({ refreshDueAt }: CurrentTokens): boolean {
    return refreshDueAt !== null && refreshDueAt <= this.clock.now();
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.pending.add(work);
    const done = () => this.pending.delete(work);
    work.then(done, done);
    return work;
  }
}
