import { Migration } from '@mikro-orm/migrations';

/** The audit log of all environments is read in the order of the uuids, like that of one. */
export class OrderAuditLog extends Migration {
  override up(): void {
    this.addSql('create index audit_log_uuid on audit_log (uuid); drop index audit_log_created_at');
  }

  override down(): void {
    this.addSql('create index audit_log_created_at on audit_log (created_at, uuid); drop index audit_log_uuid');
  }
}
