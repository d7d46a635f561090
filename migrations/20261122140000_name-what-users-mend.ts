import { Migration } from '@mikro-orm/migrations';

/** SQL: only the user can mend this reason. */
type Mends = (reason: string) => string;

const UNTIL_NOW = `('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
  'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE')`;

const status = (row: string) =>
  `case when ${row}.disabled_at is not null then 'DISABLED'
        when ${row}.credentials_rejected_at is not null then 'INVALID_CREDENTIALS'
        when ${row}.setup_completed_at is null then 'PENDING'
        else 'ACTIVE' end`;

const health = (row: string, mends: Mends) =>
  `case when ${row}.credentials_rejected_at is not null
          then case when ${mends(`coalesce(${row}.failure_reason, 'LOGIN_REJECTED')`)} then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.setup_completed_at is null then 'ACTION_REQUIRED'
        when ${row}.failing_since is not null and ${row}.failure_reason is not null
          then case when ${mends(`${row}.failure_reason`)} then 'ACTION_REQUIRED' else 'DEGRADED' end
        when ${row}.overdue_since is not null then 'DEGRADED'
        when ${row}.last_success_at is not null then 'OK'
        else 'UNKNOWN' end`;

/** The view, and the tally by its health; what has been counted is counted anew, and nobody changes a connection meanwhile. */
function viewAndTally(mends: Mends): string {
  const kind = (row: string) =>
    `${row}.integration_id, ${status(row)}, ${health(row, mends)}, ${row}.overdue_since is not null`;
  return `
    create or replace view connection_status as
      select uuid, identity_uuid, environment_uuid, ${status('c')} as status, ${health('c', mends)} as health
      from connection c;

    lock table connection in share row exclusive mode;
    create or replace function tally_connections() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        insert into connection_tally select ${kind('old')}, -1 union all select ${kind('new')}, 1;
      else
        insert into connection_tally
          select ${kind('c')}, count(*) * case tg_op when 'INSERT' then 1 else -1 end from changed c group by 1, 2, 3, 4;
      end if;
      return null;
    end $$;
    delete from connection_tally;
    insert into connection_tally select ${kind('c')}, count(*) from connection c group by 1, 2, 3, 4;
  `;
}

/**
 * The reasons that only users can mend have grown since their list was written into the view and the tally: now it has one
 * home in SQL, the twin of the one in `connection-facts.ts`.
 */
export class NameWhatUsersMend extends Migration {
  override up(): void {
    this.addSql(`
      create function is_users_to_mend(reason text) returns boolean language sql immutable parallel safe
        return reason in ('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
          'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE', 'HOST_KEY_CHANGED', 'PERMISSION_MISSING');
      ${viewAndTally((reason) => `is_users_to_mend(${reason})`)}
    `);
  }

  override down(): void {
    this.addSql(`
      ${viewAndTally((reason) => `${reason} in ${UNTIL_NOW}`)}
      drop function is_users_to_mend;
    `);
  }
}
