import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import { currentTraceparent } from '../../platform/request/work-scope';
import type { OutboxEvent } from '../../platform/outbox/outbox';

/**
 * `POST /v1/events/{event_uuid}/resend` (decisions 5): sends the event again to every enabled webhook that subscribes to its
 * type now, with the same `webhook-id`. Only on request: the service never repeats an event automatically (spec 6).
 */
@Injectable()
export class ResendEvent {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Returns the number of webhooks; the dispatcher wakes their senders. @throws ApiError 404 when the event was deleted since */
  async resend(
    { environmentUuid, actor }: Caller,
    { uuid: eventUuid, type, subjectUuid, traceparent }: OutboxEvent,
  ): Promise<number> {
    const parent = currentTraceparent();
    return this.em.fork().transactional(async (em) => {
      const lock = 'select uuid from outbox where uuid = $1 and environment_uuid = $2 for key share';
      const [event] = await sql(em, lock, [eventUuid, environmentUuid]);
      if (!event) throw notFound('EVENT_NOT_FOUND');
      const webhooks = await sql<{ uuid: string }>(
        em,
        `select uuid from webhook where environment_uuid = $1 and disabled_at is null and events ? $3
           and (connection_uuid is null or connection_uuid = $2)
         order by uuid for key share`,
        [environmentUuid, subjectUuid, type],
      );
      await sql(
        em,
        `insert into webhook_delivery (uuid, environment_uuid, retention_class, webhook_uuid, event_uuid, type, state, resent, created_at,
           traceparent, linked_traceparent)
         select d.uuid, e.uuid, e.retention_class, d.webhook_uuid, $3, $4, 'WAITING', true, $5, $7, $8
         from unnest($1::uuid[], $2::uuid[]) as d (uuid, webhook_uuid), environment e where e.uuid = $6`,
        [
          webhooks.map(() => uuid()),
          webhooks.map((webhook) => webhook.uuid),
          eventUuid,
          type,
          this.clock.now(),
          environmentUuid,
          parent ?? traceparent,
          parent && traceparent,
        ],
      );
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'event.resend',
        subjectUuid: eventUuid,
        details: { type, webhooks: webhooks.length },
      });
      return webhooks.length;
    });
  }
}
