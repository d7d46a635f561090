import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../platform/audit/audit';
import { Clock } from '../platform/clock';
import { jsonb, sql } from '../platform/database/sql';
import type { Caller } from '../platform/http/access';
import { type Fault, invalid, notFound } from '../platform/http/errors';
import { Outbox } from '../platform/outbox/outbox';
import { type AcknowledgeTransactionDto, AcknowledgeTransactionsDto, type Verdict } from './acknowledge.dto';
import { assertOwnTransaction } from './own-transaction';
import type { DeliveryError, ProvisioningStatus } from './transaction.entity';

/** What `last_error` says of a rejected one. */
const REJECTED_BY_CLIENT = 'REJECTED_BY_CLIENT';

const STATUSES: Readonly<Record<Verdict, ProvisioningStatus>> = { ACCEPTED: 'ACKNOWLEDGED', REJECTED: 'REJECTED' };

interface Named {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly identityUuid: string;
  readonly connectionUuid: string;
  readonly integrationId: string;
}
type Changed = Pick<Named, 'uuid' | 'connectionUuid'>;

/**
 * `POST …/acknowledge` (contract 5), for one transaction or for many at once: all or none.
 *
 * A client may acknowledge what it has, however it came to it. So every status allows it: `AVAILABLE` is the usual one; of
 * a `PENDING` or `FAILED` push nothing is sent any more; and a `DELIVERED` one may still turn out to be unusable. The
 * last word wins, so a client can change its mind; the same word again changes nothing.
 */
@Injectable()
export class AcknowledgeTransactions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  /**
   * `named` is the transaction of the path, already permitted, or the list of the body. What a body names is checked as
   * everywhere: of another environment 403, unknown 422 with its place in the list (`transaction_uuids.3`).
   */
  async run(
    caller: Caller,
    named: string | readonly string[],
    { result, message }: AcknowledgeTransactionDto,
  ): Promise<void> {
    const uuids =
      typeof named === 'string' ? [named] : named.map((uuid) => (typeof uuid === 'string' ? uuid.toLowerCase() : uuid));
    if (typeof named !== 'string') assertUuids(uuids);
    await this.em.fork().transactional(async (em) => {
      const found = await this.lock(em, uuids);
      for (const transaction of found) assertOwnTransaction(caller, transaction);
      const known = new Set(found.map(({ uuid }) => uuid));
      if (uuids.some((uuid) => !known.has(uuid))) {
        throw typeof named === 'string' ? notFound('TRANSACTION_NOT_FOUND') : invalid(unknownAmong(uuids, known));
      }
      const changed = await this.settle(em, [...known], result, message || null);
      if (changed.length > 0) this.record(em, caller, changed, result, message || null);
    });
  }

  /** In order of their uuids, as everybody who locks several does. */
  private lock(em: EntityManager, uuids: readonly string[]): Promise<Named[]> {
    return sql<Named>(
      em,
      `select uuid, environment_uuid as "environmentUuid", identity_uuid as "identityUuid",
         connection_uuid as "connectionUuid", integration_id as "integrationId"
       from transaction where uuid = any($1::uuid[]) order by uuid for update`,
      [uuids],
    );
  }

  private record(
    em: EntityManager,
    { environmentUuid, actor }: Caller,
    changed: readonly Changed[],
    result: Verdict,
    message: string | null,
  ): void {
    for (const { uuid, connectionUuid: subjectUuid } of changed) {
      const data = { transaction_uuid: uuid, result, message };
      this.outbox.record(em, { environmentUuid, subjectUuid, type: 'document.acknowledged', data });
    }
    const uuids = changed.map(({ uuid }) => uuid);
    this.audit.record(em, {
      environmentUuid,
      actor,
      action: 'transaction.acknowledge',
      subjectUuid: uuids.length === 1 ? uuids[0]! : null,
      // Without the message: nothing in this log is ever removed, and a message may name people.
      details: { result, ...(uuids.length > 1 && { transaction_uuids: uuids }) },
    });
  }

  /** Answers those that this changed. Content is kept for a while from now on (contract 4, retention). */
  private settle(em: EntityManager, uuids: readonly string[], result: Verdict, message: string | null) {
    const rejection: DeliveryError = {
      code: REJECTED_BY_CLIENT,
      status: null,
      message: message ?? 'The client has rejected the document.',
    };
    return sql<Changed>(
      em,
      `update transaction t set status = $2, acknowledged_at = $3, due_at = null, last_error = $4::jsonb,
         available_until = case when t.content_uuid is null then t.available_until
                                else $3::timestamptz + make_interval(days => e.retention_delivered_days) end
       from environment e
       where e.uuid = t.environment_uuid and t.uuid = any($1::uuid[])
         and (t.status <> $2 or t.last_error is distinct from $4::jsonb)
       returning t.uuid, t.connection_uuid as "connectionUuid"`,
      [uuids, STATUSES[result], this.clock.now(), result === 'REJECTED' ? jsonb(rejection) : null],
    );
  }
}

function assertUuids(transaction_uuids: readonly string[]): void {
  const faults = AcknowledgeTransactionsDto.furtherFaults({ transaction_uuids });
  if (faults.length > 0) throw invalid(faults);
}

const unknownAmong = (uuids: readonly string[], known: ReadonlySet<string>): Fault[] =>
  uuids.flatMap((uuid, place) =>
    known.has(uuid) ? [] : [{ field: `transaction_uuids.${place}`, code: 'TRANSACTION_NOT_FOUND' }],
  );
