import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../identities/environments/environment.entity';
import type { Outbox } from '../../platform/outbox/outbox';
import { DUPLICATE } from './available-reason';
import { logTooLarge, TOO_LARGE_FOR_PUSH } from './log-too-large';

/** A new transaction that can be pulled. */
interface AvailableTransaction {
  readonly uuid: string;
  readonly isHeld: boolean;
}

/**
 * Records the events that documents can be pulled, for webhooks (decisions 6); a client that polls receives no events
 * (spec 6). What is too large for a push is also logged as an attempt.
 */
export async function notifyAvailable(
  em: EntityManager,
  outbox: Outbox,
  { environment, connectionUuid }: { readonly environment: Environment; readonly connectionUuid: string },
  transactions: readonly AvailableTransaction[],
  now: Date,
): Promise<void> {
  const { strategy, uuid: environmentUuid } = environment;
  if (strategy === 'POLLING') return;
  for (const { uuid, isHeld } of transactions) {
    const reason = isHeld ? DUPLICATE : strategy === 'PUSH' ? TOO_LARGE_FOR_PUSH : undefined;
    outbox.record(em, {
      environmentUuid,
      subjectUuid: connectionUuid,
      type: 'document.available',
      data: { transaction_uuid: uuid, ...(reason && { reason }) },
    });
  }
  if (strategy !== 'PUSH') return;
  const tooLarge = transactions.filter(({ isHeld }) => !isHeld).map(({ uuid }) => uuid);
  await logTooLarge(em, tooLarge, now);
}
