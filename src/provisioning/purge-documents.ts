import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../documents/store/document-store';
import { Clock } from '../platform/clock';
import { jsonb, sql } from '../platform/database/sql';
import { Outbox } from '../platform/outbox/outbox';
import { notServed } from './due-endpoints';
import { deliveryError } from './delivery-error';

/** Documents whose content is removed together, in one database transaction … */
const PURGED_AT_ONCE = 100;
/** … as long as they are not more bytes than this, which are a thousand rows. One that is larger goes alone. */
export const PURGED_BYTES_AT_ONCE = 256 * 1024 * 1024;
/** No pull begins after `available_until`; one that began before has so long to end before it is broken off. */
export const LAST_READERS_SECONDS = 600;

/** What one batch removed. */
export interface Purged {
  readonly documents: number;
  /** Plain bytes. */
  readonly bytes: number;
  /** How many of the documents were still to be pushed: they are FAILED now. */
  readonly abandoned: number;
}

interface Due {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly connectionUuid: string;
  readonly contentUuid: string;
  readonly size: string;
  readonly pushed: boolean;
}

/**
 * Removes the content of documents whose `available_until` has passed (contract 4, retention). The record with its
 * metadata and its hash stays.
 *
 * One that could not be pushed in all that time, because its endpoint has been held back, cannot be pushed any more: its
 * delivery ends as `FAILED` with the code `DOCUMENT_PURGED` and the event `delivery.failed`. One that is due while its
 * endpoint is being served may be on its way at this moment: it is left to a later batch.
 */
@Injectable()
export class PurgeDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly store: DocumentStore,
    private readonly outbox: Outbox,
  ) {}

  /** One batch, of what no other instance is at. No document: that was all. */
  async run(): Promise<Purged> {
    return this.em.fork().transactional(async (em) => {
      const due = await this.lock(em);
      if (due.length === 0) return { documents: 0, bytes: 0, abandoned: 0 };
      const error = deliveryError('DOCUMENT_PURGED', null);
      await sql(
        em,
        `update transaction set content_uuid = null, due_at = null,
           status = case when due_at is null then status else 'FAILED' end,
           last_error = case when due_at is null then last_error else $2::jsonb end
         where uuid = any($1::uuid[])`,
        [due.map(({ uuid }) => uuid), jsonb(error)],
      );
      await this.store.remove(
        em,
        due.map(({ contentUuid }) => contentUuid),
      );
      const abandoned = due.filter(({ pushed }) => pushed);
      for (const { uuid, environmentUuid, connectionUuid: subjectUuid } of abandoned) {
        const data = { transaction_uuid: uuid, error };
        this.outbox.record(em, { environmentUuid, subjectUuid, type: 'delivery.failed', data });
      }
      const bytes = due.reduce((sum, { size }) => sum + Number(size), 0);
      return { documents: due.length, bytes, abandoned: abandoned.length };
    });
  }

  /**
   * The records before their content, as a deletion takes them; it waits for nobody, so the order among them is free. Only
   * what is asked of the locked rows themselves is asked again once they are locked: one may have been delivered again since.
   */
  private lock(em: EntityManager): Promise<Due[]> {
    return sql<Due>(
      em,
      `with oldest as (
         select t.uuid, sum(t.size) over (order by t.available_until, t.uuid rows unbounded preceding) - t.size as before
         from transaction t
         where t.content_uuid is not null and t.available_until <= $2
           and (t.due_at is null or t.due_at > $1 or (${notServed('t.environment_uuid')}))
         order by t.available_until, t.uuid limit ${PURGED_AT_ONCE})
       select t.uuid, t.environment_uuid as "environmentUuid", t.connection_uuid as "connectionUuid",
         t.content_uuid as "contentUuid", t.size, t.due_at is not null as pushed
       from transaction t join oldest using (uuid)
       where oldest.before < ${PURGED_BYTES_AT_ONCE} and t.content_uuid is not null and t.available_until <= $2
       for update of t skip locked`,
      [this.clock.now(), this.clock.in(-LAST_READERS_SECONDS)],
    );
  }
}
