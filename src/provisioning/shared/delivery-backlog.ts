import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { MAX_COUNTED, type BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';

/** Counts due deliveries and waiting events of all environments, at a cost of what is due. */
@Injectable()
export class DeliveryBacklog {
  constructor(private readonly clock: Clock) {}

  /** Endpoints that get trials only. */
  async openCircuits(em: EntityManager): Promise<number> {
    const [held] = await sql<{ n: number }>(
      em,
      'select count(*)::int as n from endpoint where circuit_open_until is not null',
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
             where e.strategy = 'PUSH' and (p.circuit_open_until is not null) = $2 limit ${MAX_COUNTED}) d`,
      [this.clock.now(), heldBack],
    );
    return row!;
  }

  async waitingWebhooks(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from webhook_delivery where state = 'WAITING' limit ${MAX_COUNTED}) w`,
      [this.clock.now()],
    );
    return row!;
  }

  async waitingEvents(em: EntityManager): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(created_at)) as seconds
       from (select created_at from outbox where dispatched_at is null order by uuid limit ${MAX_COUNTED}) o`,
      [this.clock.now()],
    );
    return row!;
  }
}
