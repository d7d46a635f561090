import { Migration } from '@mikro-orm/migrations';

/** The history of an environment by time, for the console: what is counted and measured is in the index itself. */
export class IndexHistoryByEnvironment extends Migration {
  override up(): void {
    this.addSql(`
      -- Fetches that have ended: an index of the unfinished ones would be written with every fetch and never read.
      create index fetch_short_environment on fetch_short (environment_uuid, uuid) include (status);
      create index fetch_standard_environment on fetch_standard (environment_uuid, uuid) include (status);
      create index fetch_long_environment on fetch_long (environment_uuid, uuid) include (status);
      create index delivery_attempt_environment on delivery_attempt (environment_uuid, uuid) include (error_code, duration_ms);
      create index delivery_attempt_failed on delivery_attempt (environment_uuid, uuid) where error_code is not null;
      -- What the console lists of an environment without reading its other events.
      create index outbox_reported on outbox (environment_uuid, type, uuid)
        where type in ('source.requested', 'document.expected_missing');
    `);
  }

  override down(): void {
    this.addSql(`
      drop index fetch_short_environment, fetch_standard_environment, fetch_long_environment, delivery_attempt_environment,
        delivery_attempt_failed, outbox_reported;
    `);
  }
}
