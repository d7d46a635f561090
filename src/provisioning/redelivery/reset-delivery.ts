import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import type { SpanCauses } from '../../platform/request/span';
import { initialDelivery, type InitialDelivery } from '../../transactions/record/initial-delivery';
import { logTooLarge, TOO_LARGE_FOR_PUSH } from '../../transactions/record/log-too-large';
import type { ProvisioningStatus } from '../../transactions/record/provisioning-status';
import { causesOfDelivery } from '../shared/redelivery-trace';

interface ChosenTransaction {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly connectionUuid: string;
  readonly size: string;
  readonly traceparent: string | null;
}

interface ResetOptions {
  /** Only those that still have this status. */
  readonly only: ProvisioningStatus | null;
  /** They belong to a bulk redelivery, and are pushed after new documents. */
  readonly lowPriority: boolean;
  /** The span that has requested it. */
  readonly cause: string | null;
}

type ResetTransaction = ChosenTransaction & InitialDelivery;

/**
 * Restarts deliveries with the current strategy of their environment: a push is due immediately with the whole retry
 * schedule, a webhook is notified of the document again, and in the polling feed the document is `AVAILABLE` at its old
 * position. The retention period restarts as well. Transactions whose content has been purged stay unchanged.
 */
@Injectable()
export class ResetDelivery {
  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Resets the transactions in the caller's database transaction. Returns the uuids of the reset ones. */
  async reset(
    em: EntityManager,
    uuids: readonly string[],
    { only, lowPriority, cause }: ResetOptions,
  ): Promise<string[]> {
    const now = this.clock.now();
    const scheduled = await chooseAndLock(em, uuids, only, now);
    await sql(
      em,
      `update transaction t set strategy = given.strategy, status = given.status, due_at = given.due_at, low_priority = $6,
         prior_attempts = t.attempts, restarted_at = $7, last_error = null, acknowledged_at = null, acknowledged_message = null,
         available_until = given.available_until, redelivery_traceparent = $8
       from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
         as given (uuid, strategy, status, due_at, available_until)
       where t.uuid = given.uuid`,
      [
        scheduled.map(({ uuid }) => uuid),
        scheduled.map(({ strategy }) => strategy),
        scheduled.map(({ status }) => status),
        scheduled.map(({ due_at }) => due_at),
        scheduled.map(({ available_until }) => available_until),
        lowPriority,
        now,
        cause,
      ],
    );
    const redelivery = { redelivery: cause, isBulk: lowPriority };
    for (const transaction of scheduled)
      this.recordAvailable(em, transaction, causesOfDelivery(transaction.traceparent, redelivery));
    const tooLarge = scheduled.filter(isTooLarge).map(({ uuid }) => uuid);
    await logTooLarge(em, tooLarge, now);
    return scheduled.map(({ uuid }) => uuid);
  }

  /** Records `document.available` for webhooks, and for documents that are too large to push (decisions 6). */
  private recordAvailable(em: EntityManager, scheduled: ResetTransaction, causes: SpanCauses): void {
    const { uuid, environmentUuid, connectionUuid, strategy } = scheduled;
    const tooLarge = isTooLarge(scheduled);
    if (strategy !== 'WEBHOOK' && !tooLarge) return;
    const data = { transaction_uuid: uuid, ...(tooLarge && { reason: TOO_LARGE_FOR_PUSH }) };
    const event = { environmentUuid, subjectUuid: connectionUuid, type: 'document.available', data };
    this.outbox.record(em, event, causes);
  }
}

const isTooLarge = ({ strategy, status }: ResetTransaction): boolean => strategy === 'PUSH' && status === 'AVAILABLE';

/** Locks the transactions, in the order of their uuids, whose content still exists, and determines their new state. */
async function chooseAndLock(
  em: EntityManager,
  uuids: readonly string[],
  only: ProvisioningStatus | null,
  now: Date,
): Promise<ResetTransaction[]> {
  const rows = await sql<ChosenTransaction>(
    em,
    `select uuid, environment_uuid as "environmentUuid", connection_uuid as "connectionUuid", size, traceparent
     from transaction
     where uuid = any($1::uuid[]) and ($2::text is null or status = $2) and content_uuid is not null
     order by uuid for update`,
    [uuids, only],
  );
  const owners = [...new Set(rows.map(({ environmentUuid }) => environmentUuid))];
  const environments = await em.find(Environment, { uuid: { $in: owners } });
  return rows.map((row) => {
    const environment = environments.find(({ uuid }) => uuid === row.environmentUuid)!;
    return { ...row, ...initialDelivery(environment, Number(row.size), now) };
  });
}
