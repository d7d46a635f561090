import { Migration } from '@mikro-orm/migrations';

const isUsersToMend = (more: string) => `
  create or replace function is_users_to_mend(reason text) returns boolean language sql immutable parallel safe
    return reason in ('LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_REVOKED', 'CONSENT_EXPIRED', 'SCOPE_MISSING',
      'FOLDER_NOT_FOUND', 'SETUP_INCOMPLETE', 'HOST_KEY_CHANGED', 'HOST_KEY_UNKNOWN', 'PERMISSION_MISSING'${more});`;

/** An address or bucket that does not exist any more is for the user to correct. No row has this reason yet, so no tally changes. */
export class NameMissingEndpoints extends Migration {
  override up(): void {
    this.addSql(isUsersToMend(`, 'ENDPOINT_NOT_FOUND'`));
  }

  override down(): void {
    this.addSql(isUsersToMend(''));
  }
}
