import { Migration } from '@mikro-orm/migrations';

/** What a client's former address still answers says nothing about the new one: each has a number. */
export class TellAddressesApart extends Migration {
  override up(): void {
    this.addSql(`
      alter table environment add column address_version integer not null default 0;

      drop trigger environment_forgets_endpoint on environment;
      create or replace function forget_endpoint() returns trigger language plpgsql as $$
      begin
        delete from endpoint where environment_uuid = new.uuid;
        new.address_version := old.address_version + 1;
        return new;
      end $$;
      create trigger environment_forgets_endpoint
        before update of provisioning_url, client_auth, client_auth_secret on environment for each row
        when ((old.provisioning_url, old.client_auth, old.client_auth_secret)
              is distinct from (new.provisioning_url, new.client_auth, new.client_auth_secret))
        execute function forget_endpoint();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger environment_forgets_endpoint on environment;
      create or replace function forget_endpoint() returns trigger language plpgsql as $$
      begin
        delete from endpoint where environment_uuid = new.uuid;
        return null;
      end $$;
      create trigger environment_forgets_endpoint
        after update of provisioning_url, client_auth, client_auth_secret on environment for each row
        when ((old.provisioning_url, old.client_auth, old.client_auth_secret)
              is distinct from (new.provisioning_url, new.client_auth, new.client_auth_secret))
        execute function forget_endpoint();
      alter table environment drop column address_version;
    `);
  }
}
