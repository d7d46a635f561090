import { Migration } from '@mikro-orm/migrations';

/** What became of one thing: `POST /v1/ui/return` asks whose a deleted connection was. */
export class FindAuditBySubject extends Migration {
  override up(): void {
    this.addSql('create index audit_log_subject on audit_log (subject_uuid, uuid)');
  }

  override down(): void {
    this.addSql('drop index audit_log_subject');
  }
}
