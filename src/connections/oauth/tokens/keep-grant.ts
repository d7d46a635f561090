import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { v4 as randomUuid } from 'uuid';
import type { Session } from '../../../integrations/core/integration';
import { OAuthClient, type OAuthIntegration } from '../../../integrations/shared/oauth/oauth-client';
import type { TokenSet } from '../../../integrations/core/oauth-spec';
import { AuthorizationRevoked } from '../../../integrations/core/source-errors';
import { Clock } from '../../../platform/clock/clock';
import type { Priority } from '../../../platform/network/rate-limiter';
import { GrantStore, type Held } from './grant-store';

/** While another process renews, its outcome is looked for so often. */
const LOOK_MS = 100;
/** A provider that has just refused is not asked again for so long, however many documents ask for a token meanwhile. */
const REFUSED_MS = 30_000;

/**
 * Keeps access tokens good: one is renewed ahead of its end, by exactly one of all processes, and the new refresh token is
 * committed before the new access token is used (ADR 15). What has begun is brought to its end whatever becomes of who asked
 * for it: a provider that rotates refresh tokens has already forgotten the old one.
 */
@Injectable()
export class KeepGrant implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeepGrant.name);
  private readonly renewing = new Set<Promise<unknown>>();

  constructor(
    private readonly store: GrantStore,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
  ) {}

  /** Access tokens for one session with a connection's provider; what is good is asked for once. */
  forSession(connectionUuid: string, integration: OAuthIntegration, urgency: Priority): Session['accessToken'] {
    let held: Held | null = null;
    let asking: Promise<Held> | null = null;
    return async (refused) => {
      for (;;) {
        if (held && held.access !== refused && !this.isDue(held)) return held.access;
        asking ??= this.current(connectionUuid, integration, urgency, refused).finally(() => (asking = null));
        held = await asking;
        if (held.access !== refused) return held.access; // else it was asked for by somebody who knew nothing of the refusal
      }
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.renewing);
  }

  /** @throws AuthorizationRevoked, ClientRefused, Transient, RateLimited, UnexpectedResponse */
  private async current(
    uuid: string,
    integration: OAuthIntegration,
    urgency: Priority,
    refused: string | undefined,
  ): Promise<Held> {
    for (;;) {
      const held = await this.store.read(uuid);
      if (!held) throw new AuthorizationRevoked('There is no authorisation.', 'AUTHORIZATION_PENDING');
      const isGood = held.access !== refused && (held.expiresAt === null || held.expiresAt > this.clock.now());
      if (isGood && !this.isDue(held)) return held;
      this.assertRenewable(held, isGood);
      const lease = held.refresh === null ? null : await this.store.lease(uuid, held, randomUuid());
      if (lease !== null) {
        const renewed = await this.toItsEnd(this.renew(uuid, integration, urgency, held, lease, isGood));
        if (renewed) return renewed;
      } else if (isGood) {
        return held; // somebody else is at it
      } else {
        await pause(LOOK_MS);
      }
    }
  }

  /** Null when somebody else has changed the grant meanwhile: look again. */
  private async renew(
    uuid: string,
    integration: OAuthIntegration,
    urgency: Priority,
    held: Held,
    lease: string,
    isGood: boolean,
  ): Promise<Held | null> {
    let tokens: TokenSet;
    try {
      tokens = await this.client.refresh(integration, held.refresh!, urgency);
    } catch (error) {
      const isRefused = error instanceof AuthorizationRevoked;
      const isMine = await this.store.giveBack(uuid, lease, isRefused ? this.clock.now() : null);
      if (!isMine) return null;
      // There is time left: whatever is wrong may have passed by then.
      if (isGood && !isRefused) {
        this.logger.warn({ err: error, connection: uuid }, 'A token could not be renewed ahead of its end');
        return { ...held, renewAt: null };
      }
      throw error;
    }
    return this.store.renewed(uuid, lease, integration, held, tokens);
  }

  private assertRenewable({ refusedAt, refresh }: Held, isGood: boolean): void {
    const isFresh = refusedAt !== null && this.clock.now().getTime() - refusedAt.getTime() < REFUSED_MS;
    if (isFresh) throw new AuthorizationRevoked('The provider has just refused to renew the authorisation.');
    if (refresh === null && !isGood) {
      throw new AuthorizationRevoked(
        'The access token has ended, and there is none to renew it by.',
        'CONSENT_EXPIRED',
      );
    }
  }

  private isDue({ renewAt }: Held): boolean {
    return renewAt !== null && renewAt <= this.clock.now();
  }

  private toItsEnd<T>(work: Promise<T>): Promise<T> {
    this.renewing.add(work);
    const done = () => this.renewing.delete(work);
    work.then(done, done);
    return work;
  }
}
