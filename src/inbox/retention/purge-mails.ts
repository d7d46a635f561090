import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';

const BATCH = 100;

/**
 * Removes received mails whose documents are recorded: after the retention of delivered content, or after that of other content while
 * documents of their connection wait for another attempt to read them (decisions 4, retention).
 */
@Injectable()
export class PurgeMails {
  private readonly logger = new Logger(PurgeMails.name);

  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of removed mails. */
  @Recurring({ everyMs: 300_000, failure: 'Mails past their retention could not be purged' })
  async purge(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (let purged = BATCH; purged === BATCH && !signal?.aborted; total += purged) purged = await this.purgeBatch();
    if (total > 0) this.logger.log({ mails: total }, 'Received mails were purged at the end of their retention');
    return total;
  }

  private purgeBatch(): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const rows = await sql<{ content_uuid: string }>(
        em,
        `with due as (
           select m.connection_uuid, m.number, m.environment_uuid
           from inbox_mail m join connection c on c.uuid = m.connection_uuid join environment e on e.uuid = m.environment_uuid
           where e.fence is null and m.processed_at <= $1 and m.processed_at <= $1 - make_interval(days =>
             case when c.failed_documents = 0 then e.retention_delivered_days
               else greatest(e.retention_days, e.retention_delivered_days) end)
           order by m.processed_at limit ${BATCH} for update of m skip locked)
         delete from inbox_mail m using due
         where m.connection_uuid = due.connection_uuid and m.number = due.number
           and m.environment_uuid = due.environment_uuid
         returning m.content_uuid`,
        [this.clock.now()],
      );
      if (rows.length > 0) {
        await this.store.remove(
          em,
          rows.map(({ content_uuid }) => content_uuid),
        );
      }
      return rows.length;
    });
  }
}
