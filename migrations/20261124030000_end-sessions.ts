import { Migration } from '@mikro-orm/migrations';

/** UI tokens carry the generation of their identity's sessions: ending them begins another one. */
export class EndSessions extends Migration {
  override up(): void {
    this.addSql('alter table identity add column session_generation integer not null default 0');
  }

  override down(): void {
    this.addSql('alter table identity drop column session_generation');
  }
}
