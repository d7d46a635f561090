import { Migration } from '@mikro-orm/migrations';

/** Moving an environment to another installation: its fence, and the transfer in progress. */
export class TransferEnvironments extends Migration {
  override up(): void {
    this.addSql(`
      alter table environment
        -- Set while the installation must not work for the environment: it is being moved away or was, or has arrived and waits for its activation.
        add column fence text null check (fence in ('MOVING', 'MOVED', 'ARRIVING'));

      -- One transfer at a time for each environment. Without a foreign key: an import begins before its environment exists here.
      create table environment_transfer (
        environment_uuid uuid primary key,
        uuid uuid not null,
        direction text not null check (direction in ('OUT', 'IN')),
        created_at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table environment_transfer');
    this.addSql('alter table environment drop column fence');
  }
}
