import { Migration } from '@mikro-orm/migrations';

const mendedByUsers = (more: string): string => `
  create or replace function is_users_to_mend(reason text) returns boolean language sql immutable parallel safe
    return reason in ('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
      'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE', 'HOST_KEY_CHANGED', 'PERMISSION_MISSING'${more});`;

/**
 * Fingerprints of servers are kept by `host:port` instead of the name of the field, so that they hold for no other server. A host
 * key that nobody has accepted yet is for the user to confirm; no connection has this reason so far, so the tally stays right.
 */
export class TrustServers extends Migration {
  override up(): void {
    this.addSql(`
      ${mendedByUsers(`, 'HOST_KEY_UNKNOWN'`)}
      update connection
      set pins = jsonb_build_object(
        rtrim(lower(settings->>'host'), '.') || ':' || coalesce(settings->>'port', '22'), pins->>'host')
      where integration_id = 'sftp' and pins->>'host' is not null and settings->>'host' is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      ${mendedByUsers('')}
      update connection set pins = jsonb_build_object('host', (select value from jsonb_each_text(pins) limit 1))
      where integration_id = 'sftp' and pins <> '{}';
      update connection set pins = null where integration_id <> 'sftp';
    `);
  }
}
