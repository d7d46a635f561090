import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { v4 as randomUuid } from 'uuid';
import type { Session } from '../../../integrations/core/integration';
import { OAuthClient, type OAuthIntegration } from '../../../integrations/shared/oauth/oauth-client';
import type { TokenSet } from '../../../integrations/core/oauth-spec';
import { AuthorizationRevoked } from '../../../integrations/core/source-errors';
import { Clock } from '../../../platform/clock/clock';
import type { Priority } from '../../../platform/network/rate-limiter';
import { TokenStore, type CurrentTokens } from './token-store';

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
  forSession(connectionUuid: string, integration: OAuthIntegration, urgency: Priority): Session['accessToken'] {
    let held: CurrentTokens | null = null;
    let asking: Promise<CurrentTokens> | null = null;
    return async (refused) => {
      for (;;) {
        if (held && held.access !== refused && !this.isDue(held)) return held.access;
        asking ??= this.getValid(connectionUuid, integration, urgency, refused).finally(() => (asking = null));
        held = await asking;
        if (held.access !== refused) return held.access; // otherwise the read was started before the refusal
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
    urgency: Priority,
    refused: string | undefined,
  ): Promise<CurrentTokens> {
    for (;;) {
      const held = await this.tokens.read(uuid);
      if (!held) throw new AuthorizationRevoked('There is no authorization.', 'AUTHORIZATION_PENDING');
      const isGood = held.access !== refused && (held.expiresAt === null || held.expiresAt > this.clock.now());
      if (isGood && !this.isDue(held)) return held;
      this.assertRefreshable(held, isGood);
      const lease = held.refresh === null ? null : await this.tokens.acquireLease(uuid, held, randomUuid());
      if (lease !== null) {
        const renewed = await this.track(this.refresh(uuid, integration, urgency, held, lease, isGood));
        if (renewed) return renewed;
      } else if (isGood) {
        return held; // another process is refreshing it
      } else {
        await pause(POLL_MS);
      }
    }
  }

  /** Null if the grant was changed meanwhile: the caller reads it again. */
  private async refresh(
    uuid: string,
    integration: OAuthIntegration,
    urgency: Priority,
    held: CurrentTokens,
    lease: string,
    isGood: boolean,
  ): Promise<CurrentTokens | null> {
    let tokens: TokenSet;
    try {
      tokens = await this.client.refresh(integration, held.refresh!, urgency);
    } catch (error) {
      const isRefused = error instanceof AuthorizationRevoked;
      const isMine = await this.tokens.releaseLease(uuid, lease, isRefused ? this.clock.now() : null);
      if (!isMine) return null;
      // The token is still valid, and the failure may be temporary.
      if (isGood && !isRefused) {
        this.logger.warn({ err: error, connection: uuid }, 'Refreshing a token ahead of its expiry failed');
        return { ...held, renewAt: null };
      }
      throw error;
    }
    return this.tokens.saveRefreshed(uuid, lease, integration, held, tokens);
  }

  private assertRefreshable({ refusedAt, refresh }: CurrentTokens, isGood: boolean): void {
    const isFresh = refusedAt !== null && this.clock.now().getTime() - refusedAt.getTime() < REFUSAL_BACKOFF_MS;
    if (isFresh) throw new AuthorizationRevoked('The provider has just rejected refreshing the authorization.');
    if (refresh === null && !isGood) {
      throw new AuthorizationRevoked('The access token has expired, and there is no refresh token.', 'CONSENT_EXPIRED');
    }
  }

  private isDue({ renewAt }: CurrentTokens): boolean {
    return renewAt !== null && renewAt <= this.clock.now();
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.pending.add(work);
    const done = () => this.pending.delete(work);
    work.then(done, done);
    return work;
  }
}
