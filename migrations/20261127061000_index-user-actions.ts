import { Migration } from '@mikro-orm/migrations';

/** The connections whose users have to act, for the overview of an environment in the console. */
export class IndexUserActions extends Migration {
  override up(): void {
    this.addSql(`
      -- By the reason and its time, so that the latest of each reason are found however many connections wait for a provider that is down.
      create index connection_user_action on connection (
        environment_uuid,
        (case when credentials_rejected_at is not null then coalesce(failure_reason, 'LOGIN_REJECTED')
          when setup_completed_at is null then 'SETUP_INCOMPLETE' else failure_reason end),
        (coalesce(credentials_rejected_at, case when setup_completed_at is null then created_at else failing_since end)),
        uuid
      ) where disabled_at is null and (credentials_rejected_at is not null or setup_completed_at is null or failing_since is not null);
    `);
  }

  override down(): void {
    this.addSql('drop index connection_user_action');
  }
}
