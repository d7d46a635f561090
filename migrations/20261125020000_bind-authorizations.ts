import { Migration } from '@mikro-orm/migrations';

/** Authorizations end with the key and the sessions by which they began, and belong to the browser of a UI session. */
export class BindAuthorizations extends Migration {
  override up(): void {
    this.addSql(`
      alter table oauth_flow
        add column key_uuid uuid null,
        add column session_generation integer null,
        add column page_digest bytea null,
        add column confirmed_at timestamptz(3) null
    `);
  }

  override down(): void {
    this.addSql(`
      alter table oauth_flow
        drop column key_uuid, drop column session_generation, drop column page_digest, drop column confirmed_at
    `);
  }
}
