import { Migration } from '@mikro-orm/migrations';

/**
 * Events as a feed that is polled, in an order of its own as that of transactions is; and sending them once more on request.
 * Only events that have their place in the feed stand in its indexes: clients that do not read it cost nothing more.
 */
export class ListEvents extends Migration {
  override up(): void {
    this.addSql(`
      create sequence outbox_position_seq;
      alter table outbox add column position bigint null;
      create unique index outbox_feed on outbox (environment_uuid, position) where position is not null;
      create index outbox_feed_type on outbox (environment_uuid, type, position) where position is not null;
      create index outbox_feed_subject on outbox (subject_uuid, position) where position is not null;
      create index outbox_unplaced on outbox (environment_uuid, uuid)
        where position is null and dispatched_at is not null;

      alter table webhook_delivery add column resent boolean not null default false;
      drop index webhook_delivery_event;
      create unique index webhook_delivery_event on webhook_delivery (event_uuid, webhook_uuid) where not resent;
      create index webhook_delivery_of_event on webhook_delivery (event_uuid);
    `);
  }

  override down(): void {
    this.addSql(`
      delete from webhook_delivery where resent;
      drop index webhook_delivery_of_event, webhook_delivery_event;
      create unique index webhook_delivery_event on webhook_delivery (event_uuid, webhook_uuid);
      alter table webhook_delivery drop column resent;
      drop index outbox_unplaced, outbox_feed_subject, outbox_feed_type, outbox_feed;
      alter table outbox drop column position;
      drop sequence outbox_position_seq;
    `);
  }
}
