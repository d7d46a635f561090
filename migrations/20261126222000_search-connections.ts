import { Migration } from '@mikro-orm/migrations';

/** Finds connections of an environment by words, and those that are not healthy. */
export class SearchConnections extends Migration {
  override up(): void {
    this.addSql(`
      -- A text from each of its first six words on, in lower case and without punctuation: "anna acme de", "acme de", "de".
      -- A search for the beginning of one of them is a range of an index. The query of a search is normalized in the same way.
      create function search_words(value text) returns text language sql immutable parallel safe as $$
        select btrim(regexp_replace(lower(left(value, 200) collate pg_c_utf8), '[^[:alnum:]]+', ' ', 'g')) $$;
      create function search_terms(value text) returns setof text language sql immutable parallel safe as $$
        select distinct left(array_to_string(words[i:], ' '), 64)
        from (select string_to_array(search_words(value), ' ') as words) split, generate_series(1, least(coalesce(cardinality(words), 0), 6)) as i $$;

      -- All connections, and those of an integration, have a term too: so they are listed in the order of their uuids. No search finds it.
      create function connection_terms(name text, account text, integration text) returns setof text language sql immutable parallel safe as $$
        select search_terms(name) union select search_terms(account) union all values (''), (':' || integration) $$;

      -- Tables of their own: every fetch updates its connection, which would write the entries of an index of that table again.
      create table identity_term (
        identity_uuid uuid not null,
        environment_uuid uuid not null,
        term text collate "C" not null,
        primary key (environment_uuid, term, identity_uuid)
      );
      create table connection_term (
        connection_uuid uuid not null,
        environment_uuid uuid not null,
        term text collate "C" not null,
        primary key (environment_uuid, term, connection_uuid)
      );
      insert into identity_term select i.uuid, i.environment_uuid, t.term from identity i cross join lateral (
        select search_terms(i.client_identifier) as term union select search_terms(i.display_name)) t;
      insert into connection_term select c.uuid, c.environment_uuid, t.term from connection c
        cross join lateral connection_terms(c.name, c.account_display, c.integration_id) t (term);
      create index identity_term_identity on identity_term (identity_uuid);
      create index connection_term_connection on connection_term (connection_uuid);

      -- The rest locks the tables: rows that were written since the copy follow, and the foreign keys are not checked for it.
      create function write_identity_terms() returns trigger language plpgsql as $$ begin
        if tg_op = 'UPDATE' then delete from identity_term where identity_uuid = new.uuid; end if;
        insert into identity_term select new.uuid, new.environment_uuid, term from (
          select search_terms(new.client_identifier) as term union select search_terms(new.display_name)) t;
        return null; end $$;
      create function write_connection_terms() returns trigger language plpgsql as $$ begin
        if tg_op = 'UPDATE' then delete from connection_term where connection_uuid = new.uuid; end if;
        insert into connection_term select new.uuid, new.environment_uuid, term
          from connection_terms(new.name, new.account_display, new.integration_id) t (term);
        return null; end $$;
      create trigger trg_identity_write_terms after insert or update of client_identifier, display_name on identity
        for each row execute function write_identity_terms();
      create trigger trg_connection_write_terms after insert or update of name, account_display on connection
        for each row execute function write_connection_terms();
      alter table identity_term add foreign key (identity_uuid, environment_uuid)
        references identity (uuid, environment_uuid) on delete cascade not valid;
      alter table connection_term add foreign key (connection_uuid, environment_uuid)
        references connection (uuid, environment_uuid) on delete cascade not valid;
      delete from identity_term t where not exists (select from identity where uuid = t.identity_uuid);
      delete from connection_term t where not exists (select from connection where uuid = t.connection_uuid);
      update identity set display_name = display_name where updated_at >= transaction_timestamp() - interval '1 minute';
      update connection set name = name where updated_at >= transaction_timestamp() - interval '1 minute';

      -- Those that are not healthy, which are few: for filters that would otherwise read all connections.
      create index connection_attention on connection (environment_uuid, uuid)
        where disabled_at is not null or credentials_rejected_at is not null or setup_completed_at is null
          or failing_since is not null or overdue_since is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index connection_attention;
      drop trigger trg_identity_write_terms on identity;
      drop trigger trg_connection_write_terms on connection;
      drop table identity_term, connection_term;
      drop function write_identity_terms, write_connection_terms, connection_terms, search_terms, search_words;
    `);
  }
}
