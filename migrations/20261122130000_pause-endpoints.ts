import { Migration } from '@mikro-orm/migrations';

/**
 * An endpoint may ask for a pause (`Retry-After`), gets what has piled up at a bounded rate afterwards, and begins anew
 * when the support team has set it anew.
 */
export class PauseEndpoints extends Migration {
  override up(): void {
    this.addSql(`
      alter table endpoint
        add column asked_until timestamptz(3) null,
        add column catch_up_until timestamptz(3) null;

      create function forget_endpoint() returns trigger language plpgsql as $$
      begin
        delete from endpoint where environment_uuid = new.uuid;
        return null;
      end $$;
      create trigger environment_forgets_endpoint
        after update of provisioning_url, client_auth, client_auth_secret on environment for each row
        when ((old.provisioning_url, old.client_auth, old.client_auth_secret)
              is distinct from (new.provisioning_url, new.client_auth, new.client_auth_secret))
        execute function forget_endpoint();
    `);
  }

  override down(): void {
    this.addSql('drop trigger environment_forgets_endpoint on environment');
    this.addSql('drop function forget_endpoint');
    this.addSql('alter table endpoint drop column asked_until, drop column catch_up_until');
  }
}
