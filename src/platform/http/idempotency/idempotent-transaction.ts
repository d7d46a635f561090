import type { EntityManager, EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { Kysely } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction of the ORM, or a savepoint in one. */
type Transaction = Kysely<unknown> & { readonly savepointName?: string };

/** Work that must not be repeated. `commit` is called in each of its transactions, directly before the commit. */
interface IdempotentWork {
  readonly commit: (transaction: Kysely<unknown>) => Promise<void>;
  committed: boolean;
}

const current = new AsyncLocalStorage<IdempotentWork>();

/**
 * Runs work whose transactions also record that they were committed, so that after a crash it is certain whether the work was
 * done. When `commit` throws, the transaction is rolled back.
 */
export function runIdempotently<T>(commit: IdempotentWork['commit'], work: () => Promise<T>): Promise<T> {
  return current.run({ commit, committed: false }, work);
}

/** Calls the `commit` of {@link runIdempotently} before every commit of the ORM; does nothing outside of such work. */
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
    // Later transactions in the same async context, such as those of work that continues after the response, are not part of the work.
    if (work && !transaction.savepointName) work.committed = true;
  }
}

/** Call once per application. */
export function subscribeToCommits(em: Pick<EntityManager, 'getEventManager'>): void {
  em.getEventManager().registerSubscriber(new CommitSubscriber());
}
