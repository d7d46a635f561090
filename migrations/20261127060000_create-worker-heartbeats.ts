import { Migration } from '@mikro-orm/migrations';

/** The worker processes of the installation, for the state of the service in the console. */
export class CreateWorkerHeartbeats extends Migration {
  override up(): void {
    this.addSql(`
      -- Each worker writes its row every half minute and deletes it when it shuts down; those of killed workers are removed by age.
      create table worker_heartbeat (
        worker_uuid uuid primary key,
        host text not null,
        role text not null check (role in ('all', 'worker')),
        version text not null,
        started_at timestamptz(3) not null,
        seen_at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table worker_heartbeat');
  }
}
