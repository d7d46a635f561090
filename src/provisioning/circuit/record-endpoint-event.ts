import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import { redactUrl } from '../../identities/environments/redact-url';
import type { DeliveryError } from '../../transactions/record/transaction.entity';
import type { Endpoint } from './endpoint.entity';

/** Data of the events `endpoint.failing` and `endpoint.recovered`, as of the time they were recorded (decisions 9). */
export interface EndpointEventData {
  /** Without the client's secret. */
  readonly url: string;
  /** The first consecutive failure. */
  readonly since: string;
  readonly error: DeliveryError;
  /** Documents that wait to be sent to it. */
  readonly waiting: number;
}

/** Records in the caller's transaction that an endpoint fails, or has recovered. */
@Injectable()
export class RecordEndpointEvent {
  constructor(private readonly outbox: Outbox) {}

  /** Called when the circuit opens, and again while it stays open. */
  async recordFailing(em: EntityManager, endpoint: Endpoint): Promise<void> {
    endpoint.failingEvents++;
    await this.record(em, endpoint, 'endpoint.failing');
  }

  /** Call it before the endpoint's failure state is reset. */
  recordRecovered(em: EntityManager, endpoint: Endpoint): Promise<void> {
    return this.record(em, endpoint, 'endpoint.recovered');
  }

  private async record(em: EntityManager, endpoint: Endpoint, type: string): Promise<void> {
    const { environmentUuid, failingSince, lastError } = endpoint;
    // The circuit opened before these events existed: its failure has not been reported either.
    if (!failingSince || !lastError) return;
    const [row] = await sql<{ url: string; waiting: number }>(
      em,
      `select provisioning_url as url,
         (select count(*)::int from transaction where environment_uuid = e.uuid and due_at is not null) as waiting
       from environment e where uuid = $1`,
      [environmentUuid],
    );
    const event: EndpointEventData = {
      url: redactUrl(row!.url),
      since: failingSince.toISOString(),
      error: lastError,
      waiting: row!.waiting,
    };
    this.outbox.record(em, { environmentUuid, subjectUuid: environmentUuid, type, data: { ...event } });
  }
}
