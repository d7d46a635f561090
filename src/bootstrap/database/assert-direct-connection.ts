import { IDLE_IN_TRANSACTION_MS } from '../../platform/database/guard-transactions';
import { withClient } from '../../platform/database/with-client';

/**
 * Rejects a pooler that `DATABASE_POOLER` does not announce: later, the pooler would refuse every connection of the ORM.
 * @throws when the database is unavailable, and Error with instructions in one sentence
 */
export async function assertDirectConnection(databaseUrl: string): Promise<void> {
  try {
    const settings = { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS };
    await withClient(databaseUrl, () => Promise.resolve(), settings);
  } catch (error) {
    if (!/unsupported startup parameter/.test((error as Error).message)) throw error;
    throw new Error(
      'DATABASE_URL is the address of a connection pooler: set DATABASE_POOLER to its mode, transaction or session.',
      { cause: error },
    );
  }
}
