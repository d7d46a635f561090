import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedQuery } from './prepared-statement';

/** Runs a fixed prepared statement of the transaction and returns its rows; timestamps are returned as text. */
export type RunPrepared = <Row extends object>(text: string, parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Runs `work` in a transaction of its own without the ORM, for transactions of a few fixed statements that run frequently: each
 * connection parses and plans them once ({@link preparedQuery}).
 */
export async function preparedTransaction<T>(em: EntityManager, work: (run: RunPrepared) => Promise<T>): Promise<T> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  // A connection on which this fails is released by `releaseDeadConnections`.
  await client.query('begin');
  let broken: unknown;
  try {
    const result = await work(
      async <Row extends object>(text: string, parameters: readonly unknown[]) =>
        (await client.query<Row>(preparedQuery(pool, text, parameters))).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => (broken = failure));
    throw error;
  } finally {
    client.release(broken !== undefined);
  }
}
