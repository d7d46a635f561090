import type { EntityManager } from '@mikro-orm/postgresql';
import { BytesQuery } from './bytes-query';
import { statementName } from './sql';

/**
 * Reads the one `bytea` of the one row that a fixed statement finds into `memory`, outside of transactions; answers the part
 * of it that was filled, or null when there is no row. As {@link prepared}, every connection keeps the statement.
 * @throws RangeError when `memory` is too small; what the database says.
 */
export async function readBytes(
  em: EntityManager,
  text: string,
  parameters: readonly string[],
  memory: Buffer,
): Promise<Buffer | null> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    const found = await client.query(new BytesQuery(statementName(text), text, parameters, memory)).answered;
    client.release();
    return found;
  } catch (error) {
    client.release(error as Error); // it may be in the middle of an answer
    throw error;
  }
}
