import { Migration } from '@mikro-orm/migrations';

/** Addresses of connections, and the mails that were received for them. */
export class CreateInbox extends Migration {
  override up(): void {
    this.addSql(`
      alter table connection
        -- The address of a connection that receives mails, in lower case.
        add column inbox_address text null,
        -- Counts the mails received for it, to number them in the order of their commits.
        add column received_mails bigint not null default 0;
      create unique index connection_inbox_address on connection (inbox_address, environment_uuid)
        where inbox_address is not null;

      -- A received mail makes its connection due immediately.
      alter table connection drop constraint connection_immediate_fetch_trigger_check,
        add constraint connection_immediate_fetch_trigger_check
          check (immediate_fetch_trigger in ('INITIAL', 'RECOVERY', 'SCHEDULED'));

      alter table environment
        -- Which mails are accepted by the result of their authentication.
        add column mail_policy text not null default 'DMARC' check (mail_policy in ('RECORD', 'DMARC', 'REQUIRE'));

      create table inbox_mail (
        connection_uuid uuid not null,
        environment_uuid uuid not null,
        -- Its number within the connection, in the order of the commits.
        number bigint not null,
        -- The message as it was received. Without a foreign key: content is deleted by its owner.
        content_uuid uuid not null,
        chunks integer not null,
        size bigint not null,
        -- The envelope and the result of the authentication, encrypted with the connection's data key.
        envelope bytea not null,
        received_at timestamptz(3) not null,
        -- When a fetch had committed all documents of it; its retention begins then.
        processed_at timestamptz(3) null,
        primary key (connection_uuid, number, environment_uuid),
        foreign key (connection_uuid, environment_uuid) references connection (uuid, environment_uuid) on delete cascade
      );
      create index inbox_mail_processed on inbox_mail (processed_at) where processed_at is not null;
    `);
  }

  override down(): void {
    this.addSql('drop table inbox_mail');
    this.addSql('alter table environment drop column mail_policy');
    this.addSql(`
      update connection set immediate_fetch_trigger = 'RECOVERY' where immediate_fetch_trigger = 'SCHEDULED';
      alter table connection drop constraint connection_immediate_fetch_trigger_check,
        add constraint connection_immediate_fetch_trigger_check check (immediate_fetch_trigger in ('INITIAL', 'RECOVERY')),
        drop column inbox_address, drop column received_mails;
    `);
  }
}
