import { Migration } from '@mikro-orm/migrations';

/** Gives every connection a time of its own within its client's interval, and every client its turn in the calendar. */
export class SpreadSchedules extends Migration {
  override up(): void {
    this.addSql(`
      -- The SQL twin of scheduledAfter(): whole seconds for a connection's own time, milliseconds for the rest.
      create function scheduled_after(connection uuid, since timestamptz, interval_minutes integer)
      returns timestamptz language sql stable strict parallel safe as $$
        with given as (
          select trunc(extract(epoch from since) * 1000)::bigint as since_ms, interval_minutes * 60000::bigint as interval_ms,
            ('x' || right(connection::text, 6))::bit(24)::bigint * interval_minutes * 60 / 16777216 * 1000 as own_ms
        ), own as (
          select since_ms, interval_ms,
            own_ms + ceil((since_ms + interval_ms / 2 - own_ms)::numeric / interval_ms)::bigint * interval_ms as at_ms from given
        )
        select to_timestamp(0) + make_interval(secs =>
          (case when at_ms - since_ms > interval_ms then since_ms + (at_ms - since_ms) / 2 else at_ms end)::numeric / 1000)
        from own
      $$;

      -- Whose turn it is: what a client has due, without a look at what others have.
      create index connection_due_of_client on connection (environment_uuid, next_fetch_at) where next_fetch_at is not null;
      create index connection_wanted_of_client on connection (environment_uuid, wanted_fetch_at)
        where wanted_fetch_at is not null;

      -- Set by whoever shortens an interval; the calendar brings the dates forward and clears it.
      alter table environment add column interval_shortened_at timestamptz(3) null;
      create index environment_interval_shortened on environment (interval_shortened_at)
        where interval_shortened_at is not null;
    `);
  }

  override down(): void {
    this.addSql('alter table environment drop column interval_shortened_at');
    this.addSql('drop index connection_due_of_client, connection_wanted_of_client');
    this.addSql('drop function scheduled_after');
  }
}
