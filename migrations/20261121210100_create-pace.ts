import { Migration } from '@mikro-orm/migrations';

/**
 * How fast providers are called, all instances together: when the next request of a key may start. Worth nothing after a
 * few seconds: unlogged.
 */
export class CreatePace extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table pace (
        key text primary key,
        free_at timestamptz not null,
        granted integer not null,
        taken_at timestamptz not null
      );
      create table provider_pause (
        integration_id text primary key,
        ends_at timestamptz(3) not null
      );
      -- Rows that change several times each, in tables that keep millions: what is dead goes early.
      alter table fetch_run set (autovacuum_vacuum_scale_factor = 0.01);
      alter table connection set (autovacuum_vacuum_scale_factor = 0.01);
    `);
  }

  override down(): void {
    this.addSql('alter table connection reset (autovacuum_vacuum_scale_factor)');
    this.addSql('alter table fetch_run reset (autovacuum_vacuum_scale_factor)');
    this.addSql('drop table provider_pause, pace');
  }
}
