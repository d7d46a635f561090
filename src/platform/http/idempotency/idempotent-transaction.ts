import type { EntityManager, EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { Kysely } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction of the ORM, or a savepoint in one. */
type Transaction = Kysely<unknown> & { readonly savepointName?: string };

/** Work that must not be done twice. `commit` is called in each of its transactions, right before it commits. */
interface Work {
  readonly commit: (transaction: Kysely<unknown>) => Promise<void>;
  committed: boolean;
}

const current = new AsyncLocalStorage<Work>();

/**
 * Runs work whose transactions write down that they were committed, in themselves: after a crash it is known for sure
 * whether the work was done. When `commit` throws, the transaction is rolled back.
 */
export function runIdempotently<T>(commit: Work['commit'], work: () => Promise<T>): Promise<T> {
  return current.run({ commit, committed: false }, work);
}

/** Makes every transaction of the ORM ask {@link runIdempotently} before it commits. Outside of such work it costs nothing. */
class CommitSubscriber implements EventSubscriber {
  async beforeTransactionCommit(event: TransactionEventArgs): Promise<void> {
    const transaction = event.transaction as Transaction;
    const work = current.getStore();
    if (!work || work.committed || transaction.savepointName) return;
    await work.commit(transaction);
  }

  afterTransactionCommit(event: TransactionEventArgs): void {
    const transaction = event.transaction as Transaction;
    const work = current.getStore();
    // What goes on in the background afterwards, as a worker that was nudged, is other work.
    if (work && !transaction.savepointName) work.committed = true;
  }
}

/** Call once per application. */
export function subscribeToCommits(em: Pick<EntityManager, 'getEventManager'>): void {
  em.getEventManager().registerSubscriber(new CommitSubscriber());
}
