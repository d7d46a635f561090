import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isServed } from '../../identities/environments/is-served';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { MAX_COUNTED, type BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';

/**
 * Counts due deliveries and waiting events, at a cost of what is due. Those of fenced environments do not wait for this installation
 * (decisions 7 "Moving").
 */
@Injectable()
export class DeliveryBacklog {
  constructor(private readonly clock: Clock) {}

  /** Endpoints that get trials only. */
  async openCircuits(em: EntityManager): Promise<number> {
    const [held] = await sql<{ n: number }>(
      em,
      `select count(*)::int as n from endpoint p where circuit_open_until is not null and ${isServed('p.environment_uuid')}`,
    );
    return held!.n;
  }

  /** Reads each environment separately along the index of due rows. */
  async due(em: EntityManager, heldBack: boolean): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(due_at)) as seconds
       from (select t.due_at from environment e left join endpoint p on p.environment_uuid = e.uuid
             cross join lateral (select due_at from transaction where environment_uuid = e.uuid and not low_priority
                                 and due_at <= $1 order by due_at limit ${MAX_COUNTED}) t
             where e.strategy = 'PUSH' and e.fence is null and (p.circuit_open_until is not null) = $2 limit ${MAX_COUNTED}) d`,
      [this.clock.now(), heldBack],
    );
    return row!;
  }

  async waitingWebhooks(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from webhook_delivery d where state = 'WAITING' and ${isServed('d.environment_uuid')} limit ${MAX_COUNTED}) w`,
      [this.clock.now()],
    );
    return row!;
  }

  async waitingEvents(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from outbox e where dispatched_at is null and ${isServed('e.environment_uuid')}
             order by uuid limit ${MAX_COUNTED}) o`,
      [this.clock.now()],
    );
    return row!;
  }
}
