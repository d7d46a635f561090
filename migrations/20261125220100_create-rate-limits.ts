import { Migration } from '@mikro-orm/migrations';

/** Limits that all instances apply together, to incoming requests and to requests to providers. */
export class CreateRateLimits extends Migration {
  override up(): void {
    this.addSql(`
      -- Sliding windows of limited actions and requests: a number of hits for each time, in milliseconds since 1970.
      create table throttle (
        key text primary key,
        ends bigint[] not null,
        counts integer[] not null,
        granted integer not null,
        expires_at timestamptz(3) not null
      );
      create index throttle_expires_at on throttle (expires_at);

      -- The earliest start of the next request to a provider, by key of the rate limit. Unlogged: after a crash
      -- the times of a second ago are worth nothing.
      create unlogged table rate_limit_slot (
        key text primary key,
        free_at timestamptz not null,
        granted integer not null,
        taken_at timestamptz not null
      );

      -- Pauses that a provider has requested ("Retry-After").
      create table provider_pause (
        integration_id text primary key,
        ends_at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table provider_pause, rate_limit_slot, throttle');
  }
}
