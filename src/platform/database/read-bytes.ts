import type { EntityManager } from '@mikro-orm/postgresql';
import { Semaphore } from 'async-mutex';
import { BinaryQuery } from './binary-query';
import { type Pool, statementName } from './prepared-statement';

/** Connections of a pool that read content at the same time; the others are left to other statements. */
const MAX_CONCURRENT = 4;

const semaphores = new WeakMap<Pool, Semaphore>();

/**
 * Reads the one `bytea` of the one row that a fixed statement finds into `memory`, outside of transactions. Returns the filled
 * part of it, or null when there is no row. Like with {@link prepared}, every connection keeps the statement prepared.
 * @throws RangeError when `memory` is too small; the database's error
 */
export async function readBytes(
  em: EntityManager,
  text: string,
  parameters: readonly string[],
  memory: Buffer,
): Promise<Buffer | null> {
  return readBytesOf(await em.getConnection().getNativeClient(), text, parameters, memory);
}

/** Like {@link readBytes}, on the connections of a pool. When `limited` rejects, the connection is closed. */
export async function readBytesOf(
  pool: Pool,
  text: string,
  parameters: readonly string[],
  memory: Buffer,
  limited: (done: Promise<void>) => Promise<void> = (done) => done,
): Promise<Buffer | null> {
  const query = new BinaryQuery(statementName(pool, text), text, parameters, memory);
  await semaphoreOf(pool).runExclusive(() => execute(pool, query, limited));
  return query.result();
}

function semaphoreOf(pool: Pool): Semaphore {
  const known = semaphores.get(pool) ?? new Semaphore(MAX_CONCURRENT);
  semaphores.set(pool, known);
  return known;
}

async function execute(pool: Pool, query: BinaryQuery, limited: (done: Promise<void>) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await limited(client.query(query).done);
    client.release();
  } catch (error) {
    client.release(error as Error); // a response may be incomplete
    throw error;
  }
}
