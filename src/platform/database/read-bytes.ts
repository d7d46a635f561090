import type { EntityManager } from '@mikro-orm/postgresql';
import { BinaryQuery, BinaryRead } from './binary-query';
import { isDatabaseUnavailable } from '../availability/database-unavailable';
import { statementName } from './sql';

type Pool = Awaited<ReturnType<ReturnType<EntityManager['getConnection']>['getNativeClient']>>;

/** So many values are asked for together at most: it bounds how long the first of them keeps a connection. */
const TOGETHER = 16;

/** Statements that are under way at the same time before others wait for company. */
const AT_ONCE = 2;

const readers = new WeakMap<Pool, Map<string, Reader>>();

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
  const read = new BinaryRead(parameters, memory);
  readerOf(pool, text).run(read);
  return read.answered;
}

function readerOf(pool: Pool, text: string): Reader {
  const known = readers.get(pool) ?? new Map<string, Reader>();
  readers.set(pool, known);
  const reader = known.get(text) ?? new Reader(pool, text);
  known.set(text, reader);
  return reader;
}

/** What is asked for while others are under way is asked for together, when these have come: one round trip for all of it. */
class Reader {
  private waiting: BinaryRead[] = [];
  private busy = 0;

  constructor(
    private readonly pool: Pool,
    private readonly text: string,
  ) {}

  run(read: BinaryRead): void {
    this.waiting.push(read);
    if (this.busy < AT_ONCE) void this.work();
  }

  private async work(): Promise<void> {
    this.busy++;
    while (this.waiting.length > 0) await this.read(this.waiting.splice(0, TOGETHER));
    this.busy--;
  }

  private async read(reads: readonly BinaryRead[]): Promise<void> {
    try {
      await this.query(reads);
    } catch (error) {
      const left = reads.filter(({ ended }) => !ended);
      // One that the database refuses takes those behind it with it: alone they tell which one it was.
      if (left.length > 1 && !isDatabaseUnavailable(error)) await Promise.all(left.map((one) => this.read([one])));
      else for (const one of left) one.fail(error);
    }
  }

  private async query(reads: readonly BinaryRead[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(new BinaryQuery(statementName(this.text), this.text, reads)).done;
      client.release();
    } catch (error) {
      client.release(error as Error); // it may be in the middle of an answer
      throw error;
    }
  }
}
