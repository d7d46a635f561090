import { Migration } from '@mikro-orm/migrations';

export class PinSources extends Migration {
  override up(): void {
    // What was found out at first contact and has to stay the same (a server's host key), by the id of its step-1 field.
    this.addSql('alter table connection add column pins jsonb null');
  }

  override down(): void {
    this.addSql('alter table connection drop column pins');
  }
}
