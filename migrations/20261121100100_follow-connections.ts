import { Migration } from '@mikro-orm/migrations';

/** What goes with a connection although no foreign key ties it, and what its history is read by. */
export class FollowConnections extends Migration {
  override up(): void {
    this.addSql(`
      -- However a connection goes, alone or with its identity: its data key goes in the same transaction, and with it
      -- everything that it seals. Row by row, so that the plan is a look into an index, whoever asked first.
      create function let_go_of_connection() returns trigger language plpgsql as $$
      begin
        delete from outbox where subject_uuid = old.uuid;
        delete from data_key where owner_uuid = old.uuid;
        return null;
      end $$;
      create trigger let_go_of_connection after delete on connection
        for each row execute function let_go_of_connection();

      -- Deleting a connection looks for its rows here.
      create index failed_document_connection on failed_document (connection_uuid);

      -- The timeline reads each of its sources newest first, from any point on.
      create index outbox_timeline on outbox (subject_uuid, created_at, uuid) where type <> 'fetch.finished';
      create index fetch_run_timeline on fetch_run (connection_uuid, finished_at, uuid) where finished_at is not null;
      create index transaction_settled on transaction (connection_uuid, settled_at, uuid) where settled_at is not null;
      create index transaction_struggling on transaction (connection_uuid, last_attempt_at, uuid)
        where due_at is not null and last_error is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index transaction_struggling, transaction_settled, fetch_run_timeline, outbox_timeline');
    this.addSql('drop index failed_document_connection');
    this.addSql('drop trigger let_go_of_connection on connection');
    this.addSql('drop function let_go_of_connection');
  }
}
