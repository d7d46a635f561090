import { Migration } from '@mikro-orm/migrations';

/** The equivalent of `Connection.status` in SQL (ADR 7). */
const status = (row: string) =>
  `case when ${row}.disabled_at is not null then 'DISABLED'
        when ${row}.credentials_rejected_at is not null then 'INVALID_CREDENTIALS'
        when ${row}.setup_completed_at is null then 'PENDING'
        else 'ACTIVE' end`;

/** The equivalent of `Connection.health` in SQL. */
const health = (row: string) =>
  `case when ${row}.credentials_rejected_at is not null
          then case when is_user_actionable(coalesce(${row}.failure_reason, 'LOGIN_REJECTED'))
            then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.setup_completed_at is null then 'ACTION_REQUIRED'
        when ${row}.failing_since is not null and ${row}.failure_reason is not null
          then case when is_user_actionable(${row}.failure_reason) then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.overdue_since is not null then 'DEGRADED'
        when ${row}.last_success_at is not null then 'OK'
        else 'UNKNOWN' end`;

/** The groups that connections are counted by. */
const group = (row: string) =>
  `${row}.integration_id, ${status(row)}, ${health(row)}, ${row}.overdue_since is not null`;

/** What the group depends on, so that an update of other columns costs one comparison. */
const facts = (row: string) =>
  `(${row}.disabled_at is null, ${row}.credentials_rejected_at is null, ${row}.setup_completed_at is null,
    ${row}.failing_since is null, ${row}.failure_reason, ${row}.last_success_at is null, ${row}.overdue_since is null)`;

/** Status and health of connections for queries, and their numbers for metrics. */
export class CreateConnectionStatus extends Migration {
  override up(): void {
    this.addSql(`
      -- The equivalent of USER_ACTIONABLE in "connection-state.ts": reasons that only the user can resolve.
      create function is_user_actionable(reason text) returns boolean language sql immutable parallel safe
        return reason in ('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
          'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE', 'HOST_KEY_CHANGED', 'HOST_KEY_UNKNOWN', 'PERMISSION_MISSING',
          'ENDPOINT_NOT_FOUND');

      create view connection_status as
        select uuid, identity_uuid, environment_uuid, ${status('c')} as status, ${health('c')} as health
        from connection c;

      -- The number of connections in a group is the sum of "n". A change adds rows instead of updating a counter, so that
      -- transactions do not wait for each other; a timer adds the rows up.
      create table connection_tally (
        integration_id text not null,
        status text not null,
        health text not null,
        overdue boolean not null,
        n bigint not null
      );

      create function count_connections() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          insert into connection_tally select ${group('old')}, -1 union all select ${group('new')}, 1;
        else
          insert into connection_tally
            select ${group('c')}, count(*) * case tg_op when 'INSERT' then 1 else -1 end from changed c group by 1, 2, 3, 4;
        end if;
        return null;
      end $$;
      create trigger trg_connection_count_inserted after insert on connection
        referencing new table as changed for each statement execute function count_connections();
      create trigger trg_connection_count_deleted after delete on connection
        referencing old table as changed for each statement execute function count_connections();
      create trigger trg_connection_count_updated after update on connection for each row
        when (${facts('old')} is distinct from ${facts('new')}) execute function count_connections();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger trg_connection_count_updated on connection;
      drop trigger trg_connection_count_deleted on connection;
      drop trigger trg_connection_count_inserted on connection;
      drop function count_connections;
      drop table connection_tally;
      drop view connection_status;
      drop function is_user_actionable;
    `);
  }
}
