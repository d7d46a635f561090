import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import type { Network } from '../../platform/network/network';
import { RateLimiter, type Priority } from '../../platform/network/rate-limiter';
import { RateLimitedNetwork } from '../../platform/network/rate-limited-network';
import type { Integration } from './integration';
import { RateLimited } from './source-errors';

/** What is known of pauses is looked up anew after so long. */
const PAUSES_CACHED_MS = 1000;
/** Those who wait for the end of a pause do not all come back in one moment. */
const RESUME_JITTER_SECONDS = 60;
/** No provider's word keeps its connections away for longer at once. */
const MAX_PAUSE_SECONDS = 86_400;

/** Keeps to what providers can bear, all instances together, without the connectors knowing (ADR 12). */
@Injectable()
export class ProviderRateLimits {
  private pauses = new Map<string, number>();
  private loadedUntil = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly guardedNetwork: GuardedNetwork,
    private readonly rateLimiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /** The way out for one session. `account` is the provider's id of it, when it is known. */
  network(
    { id, rateLimits }: Pick<Integration, 'id' | 'rateLimits'>,
    account: string | null,
    urgency: Priority,
    signal: AbortSignal,
  ): Network {
    return new RateLimitedNetwork(this.guardedNetwork, async (host, own) => {
      const stop = own ? AbortSignal.any([own, signal]) : signal;
      await this.assertNotPaused(id);
      if (account !== null) {
        // Whose account it is stays out of a table that outlives the connection by minutes.
        const digest = hash('sha256', account, 'base64url');
        await this.rateLimiter.wait(`${id}:account:${digest}`, rateLimits.requestsPerSecond, urgency, stop);
      }
      if (rateLimits.requestsPerSecondPerHost !== undefined) {
        await this.rateLimiter.wait(
          `${id}:host:${host.toLowerCase()}`,
          rateLimits.requestsPerSecondPerHost,
          urgency,
          stop,
        );
      }
    });
  }

  /** @throws RateLimited while a pause of the whole provider lasts, with what is left of it and a little more */
  async assertNotPaused(integrationId: string): Promise<void> {
    const now = this.clock.now().getTime();
    if (now >= this.loadedUntil || now < this.loadedUntil - PAUSES_CACHED_MS) await this.reloadPauses(now);
    const left = ((this.pauses.get(integrationId) ?? 0) - now) / 1000;
    if (left <= 0) return;
    const later = Math.random() * Math.min(left, RESUME_JITTER_SECONDS);
    throw new RateLimited(`${integrationId} has asked for a pause of everybody.`, Math.ceil(left + later));
  }

  /** The provider has asked all of us to wait: no connection calls it for so long. */
  async pause(integrationId: string, seconds: number): Promise<void> {
    await sql(
      this.em.fork(),
      `insert into provider_pause as p (integration_id, ends_at) values ($1, $2)
       on conflict (integration_id) do update set ends_at = greatest(p.ends_at, excluded.ends_at)`,
      [integrationId, this.clock.in(Math.min(seconds, MAX_PAUSE_SECONDS))],
    );
    this.loadedUntil = 0;
  }

  private async reloadPauses(now: number): Promise<void> {
    const rows = await sql<{ integration_id: string; ends: number }>(
      this.em.fork(),
      'select integration_id, extract(epoch from ends_at)::float8 as ends from provider_pause where ends_at > $1',
      [new Date(now)],
    );
    this.pauses = new Map(rows.map(({ integration_id, ends }) => [integration_id, ends * 1000]));
    this.loadedUntil = now + PAUSES_CACHED_MS;
  }
}
