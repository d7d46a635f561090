import { Migration } from '@mikro-orm/migrations';

/** Scopes of API keys, and the networks from which they may be used (decisions 3). */
export class LimitApiKeys extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_key
        -- Null for all, as in every key that was issued before.
        add column scopes text[] null check (scopes <> '{}' and scopes <@ '{read,write,admin}'),
        add column allowed_ips text[] null check (allowed_ips <> '{}');
    `);
  }

  override down(): void {
    // A limited key would become unlimited.
    this.addSql(
      `update api_key set revoked_at = now() where revoked_at is null and (scopes is not null or allowed_ips is not null)`,
    );
    this.addSql('alter table api_key drop column scopes, drop column allowed_ips');
  }
}
