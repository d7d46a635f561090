import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import type { Network } from '../../platform/network/network';
import { RateLimiter, type Priority } from '../../platform/network/rate-limiter';
import { RateLimitedNetwork } from '../../platform/network/rate-limited-network';
import { TracedNetwork } from '../../platform/network/traced-network';
import { Tracing } from '../../platform/tracing/tracing';
import type { Integration } from './integration';
import { RateLimited } from './source-errors';

/** The cache time of loaded pauses. */
const PAUSES_CACHED_MS = 1000;
/** Connections resume within this time after a pause, so that they do not all resume simultaneously. */
const RESUME_JITTER_SECONDS = 60;
/** The maximum length of a pause, whatever the provider requests. */
const MAX_PAUSE_SECONDS = 86_400;

/** Enforces the rate limits of providers over all instances, and traces requests to them, transparently for connectors (ADR 12). */
@Injectable()
export class ProviderRateLimits {
  private pauses = new Map<string, number>();
  private loadedUntil = 0;
  private readonly unlimited: Network;

  constructor(
    private readonly em: EntityManager,
    guardedNetwork: GuardedNetwork,
    private readonly rateLimiter: RateLimiter,
    private readonly clock: Clock,
    tracing: Tracing,
  ) {
    this.unlimited = tracing.isOn ? new TracedNetwork(guardedNetwork, tracing) : guardedNetwork;
  }

  /**
   * The network of one session. `account` is the provider's id of the account, when it is known. A preset shares the limits of its
   * connector: the same server and account may be reached by both.
   */
  network(
    { id, presetOf, rateLimits }: Pick<Integration, 'id' | 'presetOf' | 'rateLimits'>,
    account: string | null,
    priority: Priority,
    signal: AbortSignal,
  ): Network {
    const source = presetOf ?? id;
    return new RateLimitedNetwork(this.unlimited, async (host, own) => {
      const stop = own ? AbortSignal.any([own, signal]) : signal;
      await this.assertNotPaused(id);
      if (account !== null) {
        // Hashed, because the table keeps the key for minutes after the connection is deleted.
        const digest = hash('sha256', account, 'base64url');
        await this.rateLimiter.wait(`${source}:account:${digest}`, rateLimits.requestsPerSecond, priority, stop);
      }
      if (rateLimits.requestsPerSecondPerHost !== undefined) {
        await this.rateLimiter.wait(
          `${source}:host:${host.toLowerCase()}`,
          rateLimits.requestsPerSecondPerHost,
          priority,
          stop,
        );
      }
    });
  }

  /** @throws RateLimited during a pause of the whole provider, with the remaining time plus jitter */
  async assertNotPaused(integrationId: string): Promise<void> {
    const now = this.clock.now().getTime();
    if (now >= this.loadedUntil || now < this.loadedUntil - PAUSES_CACHED_MS) await this.reloadPauses(now);
    const left = ((this.pauses.get(integrationId) ?? 0) - now) / 1000;
    if (left <= 0) return;
    const later = Math.random() * Math.min(left, RESUME_JITTER_SECONDS);
    throw new RateLimited(`${integrationId} has requested a pause of all connections.`, Math.ceil(left + later));
  }

  /** Pauses all connections of the provider, as it has requested, for this time. */
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
