import { Migration } from '@mikro-orm/migrations';

const USERS_TO_MEND = `('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
  'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE')`;

/** The SQL twin of `Connection.status`. */
const status = (row: string) =>
  `case when ${row}.disabled_at is not null then 'DISABLED'
        when ${row}.credentials_rejected_at is not null then 'INVALID_CREDENTIALS'
        when ${row}.setup_completed_at is null then 'PENDING'
        else 'ACTIVE' end`;

/** The SQL twin of `Connection.health`. */
const health = (row: string) =>
  `case when ${row}.credentials_rejected_at is not null
          then case when coalesce(${row}.failure_reason, 'LOGIN_REJECTED') in ${USERS_TO_MEND} then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.setup_completed_at is null then 'ACTION_REQUIRED'
        when ${row}.failing_since is not null and ${row}.failure_reason is not null
          then case when ${row}.failure_reason in ${USERS_TO_MEND} then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.overdue_since is not null then 'DEGRADED'
        when ${row}.last_success_at is not null then 'OK'
        else 'UNKNOWN' end`;

const kind = (row: string) => `${row}.integration_id, ${status(row)}, ${health(row)}, ${row}.overdue_since is not null`;

/** What a connection's kind depends on, so that a change of anything else costs a comparison and no more. */
const facts = (row: string) =>
  `(${row}.disabled_at is null, ${row}.credentials_rejected_at is null, ${row}.setup_completed_at is null,
    ${row}.failing_since is null, ${row}.failure_reason, ${row}.last_success_at is null, ${row}.overdue_since is null)`;

/** What the watchdog looks at, and how many connections there are of each kind without counting them. */
export class WatchConnections extends Migration {
  override up(): void {
    this.addSql(`
      alter table connection add column waiting_since timestamptz(3) null, add column overdue_since timestamptz(3) null;
      -- From today on, not from a success long ago: nobody has watched until now.
      update connection set waiting_since = now() where next_fetch_at is not null;
      create index connection_waiting on connection (environment_uuid, waiting_since)
        where waiting_since is not null and overdue_since is null;

      -- Open fetches by age, running and waiting ones apart.
      create index fetch_run_moving on fetch_run (status, created_at) where status in ('QUEUED', 'RUNNING');

      create or replace view connection_status as
        select uuid, identity_uuid, environment_uuid, ${status('c')} as status, ${health('c')} as health
        from connection c;

      -- How many connections there are of each kind: the sum of "n". Whoever changes a connection adds rows and waits for
      -- nobody; a timer folds them together.
      create table connection_tally (
        integration_id text not null,
        status text not null,
        health text not null,
        overdue boolean not null,
        n bigint not null
      );
      insert into connection_tally select ${kind('c')}, count(*) from connection c group by 1, 2, 3, 4;

      create function tally_connections() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          insert into connection_tally select ${kind('old')}, -1 union all select ${kind('new')}, 1;
        else
          insert into connection_tally
            select ${kind('c')}, count(*) * case tg_op when 'INSERT' then 1 else -1 end from changed c group by 1, 2, 3, 4;
        end if;
        return null;
      end $$;
      create trigger tally_new_connections after insert on connection
        referencing new table as changed for each statement execute function tally_connections();
      create trigger tally_gone_connections after delete on connection
        referencing old table as changed for each statement execute function tally_connections();
      create trigger tally_changed_connections after update on connection for each row
        when (${facts('old')} is distinct from ${facts('new')}) execute function tally_connections();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger tally_new_connections on connection;
      drop trigger tally_gone_connections on connection;
      drop trigger tally_changed_connections on connection;
      drop function tally_connections;
      drop table connection_tally;
      drop view connection_status;
      create view connection_status as select uuid, identity_uuid, environment_uuid, ${status('c')} as status from connection c;
      drop index fetch_run_moving, connection_waiting;
      alter table connection drop column waiting_since, drop column overdue_since;
    `);
  }
}
