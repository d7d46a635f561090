import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { affected } from '../../platform/database/sql';
import { Clock } from '../../platform/clock/clock';
import { Outbox } from '../../platform/outbox/outbox';
import { logTooLarge, TOO_LARGE_FOR_PUSH } from '../../transactions/record/log-too-large';
import type { DueTransaction } from './read-due';

/**
 * Handles documents that were to be pushed but now exceed the push limit (decisions 6): they become available to be
 * pulled, and a webhook event is recorded.
 */
@Injectable()
export class FallBackToPull {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async makeAvailable(transactions: readonly DueTransaction[]): Promise<void> {
    if (transactions.length === 0) return;
    await this.em.fork().transactional(async (em) => {
      // Lock order: by uuid, as everywhere that several transactions are locked.
      const inOrder = transactions.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
      for (const { uuid, environmentUuid, connectionUuid: subjectUuid } of inOrder) {
        const left = await affected(
          em,
          `update transaction set status = 'AVAILABLE', due_at = null where uuid = $1 and due_at is not null`,
          [uuid],
        );
        if (left === 0) continue; // handled by another worker, or deleted
        await logTooLarge(em, [uuid], this.clock.now());
        const data = { transaction_uuid: uuid, reason: TOO_LARGE_FOR_PUSH };
        this.outbox.record(em, { environmentUuid, subjectUuid, type: 'document.available', data });
      }
    });
  }
}
