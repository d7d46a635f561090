import { Migration } from '@mikro-orm/migrations';

/** The day on which a connection was migrated: no later change may move its start date before it (decisions 4). */
export class AddMigrationDate extends Migration {
  override up(): void {
    this.addSql('alter table connection add column migrated_on date null');
    this.addSql(`
      update connection c set migrated_on = (c.created_at at time zone 'UTC')::date
      from audit_log a where a.subject_uuid = c.uuid and a.action = 'connection.migrate'
    `);
  }

  override down(): void {
    this.addSql('alter table connection drop column migrated_on');
  }
}
