import { Migration } from '@mikro-orm/migrations';

/**
 * The circuit of an endpoint: since when it is open, how often it was tried since, what it has been reported as, and which
 * documents have waited behind it for too long. That time counts only while a worker runs: `worker_uptime` says when one did.
 */
export class OpenCircuits extends Migration {
  override up(): void {
    this.addSql(`
      alter table endpoint
        add column failing_since timestamptz(3) null,
        add column opened_at timestamptz(3) null,
        add column failed_trials integer not null default 0,
        add column failing_events integer not null default 0,
        add column expire_before timestamptz(3) null,
        add column last_error jsonb null;
      update endpoint set opened_at = now(), failing_since = now(), failing_events = 1
        where held_until is not null and consecutive_failures >= 5;

      alter table transaction add column restarted_at timestamptz(3) null;
      create index transaction_trial on transaction (environment_uuid, (attempts - attempts_before), due_at, uuid)
        where due_at is not null;

      create table worker_uptime (
        began_at timestamptz(3) primary key,
        seen_at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql(`
      drop table worker_uptime;
      drop index transaction_trial;
      alter table transaction drop column restarted_at;
      alter table endpoint drop column failing_since, drop column opened_at, drop column failed_trials,
        drop column failing_events, drop column expire_before, drop column last_error;
    `);
  }
}
