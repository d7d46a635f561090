import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { isServed } from '../../identities/environments/is-served';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';

/** Documents whose content is removed together, in one database transaction. */
const PURGE_BATCH_SIZE = 100;
/** Maximum bytes of such a batch, which are a thousand rows. A larger document is removed alone. */
export const PURGE_BATCH_BYTES = 256 * 1024 * 1024;
/** No pull begins after `available_until`; one that began before has this many seconds to end before it is interrupted. */
export const READER_GRACE_SECONDS = 600;

/** The result of one batch. */
export interface PurgeResult {
  readonly documents: number;
  /** Plain bytes. */
  readonly bytes: number;
}

/** They are few, and removed together with the document. */
const RENDITION_BYTES = `coalesce((select sum(r.size)::bigint from rendition r where r.transaction_uuid = t.uuid), 0)`;

interface ExpiredContent {
  readonly uuid: string;
  readonly contentUuid: string;
  readonly size: string;
}

/**
 * Removes the content of documents whose `available_until` has passed (decisions 4, retention). The record with its
 * metadata and its hash remains. A document that is still to be pushed is never purged, regardless of how long it
 * waits: its retention starts when it has been delivered or has failed.
 */
@Injectable()
export class PurgeDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly store: DocumentStore,
  ) {}

  /** Purges one batch, without the rows that another instance has locked. No documents: nothing is left. */
  async purgeBatch(): Promise<PurgeResult> {
    return this.em.fork().transactional(async (em) => {
      const due = await this.lockExpired(em);
      if (due.length === 0) return { documents: 0, bytes: 0 };
      const transactions = due.map(({ uuid }) => uuid);
      await sql(em, 'update transaction set content_uuid = null where uuid = any($1::uuid[])', [transactions]);
      const contents = [...due, ...(await this.takeRenditions(em, transactions))];
      await this.store.remove(
        em,
        contents.map(({ contentUuid }) => contentUuid),
      );
      const bytes = contents.reduce((sum, { size }) => sum + Number(size), 0);
      return { documents: due.length, bytes };
    });
  }

  /** Removes the references to the content of the renditions, which is kept as long as that of their transactions. */
  private takeRenditions(
    em: EntityManager,
    transactions: readonly string[],
  ): Promise<Pick<ExpiredContent, 'contentUuid' | 'size'>[]> {
    return sql(
      em,
      `with expired as (
         select uuid, content_uuid from rendition where transaction_uuid = any($1::uuid[]) and content_uuid is not null for update)
       update rendition r set content_uuid = null from expired where r.uuid = expired.uuid
       returning expired.content_uuid as "contentUuid", r.size`,
      [transactions],
    );
  }

  /**
   * Locks the records before their content, as a deletion does; with `skip locked`, the order among them does not
   * matter. Conditions on the locked rows are checked again once they are locked: one may have been redelivered
   * meanwhile.
   */
  private lockExpired(em: EntityManager): Promise<ExpiredContent[]> {
    return sql<ExpiredContent>(
      em,
      `with oldest as (
         select t.uuid, sum(t.size + ${RENDITION_BYTES}) over (order by t.available_until, t.uuid rows unbounded preceding) - t.size - ${RENDITION_BYTES} as before
         from transaction t
         where t.content_uuid is not null and t.available_until <= $1 and t.due_at is null and ${isServed('t.environment_uuid')}
         order by t.available_until, t.uuid limit ${PURGE_BATCH_SIZE})
       select t.uuid, t.content_uuid as "contentUuid", t.size
       from transaction t join oldest using (uuid)
       where oldest.before < ${PURGE_BATCH_BYTES} and t.content_uuid is not null and t.available_until <= $1
         and t.due_at is null
       for update of t skip locked`,
      [this.clock.in(-READER_GRACE_SECONDS)],
    );
  }
}
