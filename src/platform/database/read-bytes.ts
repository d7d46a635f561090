import type { EntityManager } from '@mikro-orm/postgresql';
import { BinaryQuery, BinaryRead } from './binary-query';
import { isDatabaseUnavailable } from '../availability/database-unavailable';
import { type Pool, statementName } from './prepared-statement';

/** The maximum number of values per batch: it bounds how long a batch occupies a connection. */
const MAX_BATCH = 16;

/** Batches in progress at the same time; further reads wait and are batched. */
const MAX_CONCURRENT = 2;

const readers = new WeakMap<Pool, Map<string, BatchReader>>();

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
  const pool = await em.getConnection().getNativeClient();
  const read = new BinaryRead(parameters, memory);
  readerOf(pool, text).add(read);
  return read.answered;
}

function readerOf(pool: Pool, text: string): BatchReader {
  const known = readers.get(pool) ?? new Map<string, BatchReader>();
  readers.set(pool, known);
  const reader = known.get(text) ?? new BatchReader(pool, text);
  known.set(text, reader);
  return reader;
}

/** Batches the reads that arrive while others are in progress: one round trip for all of them. */
class BatchReader {
  private waiting: BinaryRead[] = [];
  private busy = 0;

  constructor(
    private readonly pool: Pool,
    private readonly text: string,
  ) {}

  add(read: BinaryRead): void {
    this.waiting.push(read);
    if (this.busy < MAX_CONCURRENT) void this.work();
  }

  private async work(): Promise<void> {
    this.busy++;
    while (this.waiting.length > 0) await this.read(this.waiting.splice(0, MAX_BATCH));
    this.busy--;
  }

  private async read(reads: readonly BinaryRead[]): Promise<void> {
    try {
      await this.query(reads);
    } catch (error) {
      const left = reads.filter(({ ended }) => !ended);
      // A read that the database rejects aborts the later ones of its batch: repeated one by one, only the faulty one fails.
      if (left.length > 1 && !isDatabaseUnavailable(error)) await Promise.all(left.map((one) => this.read([one])));
      else for (const one of left) one.fail(error);
    }
  }

  private async query(reads: readonly BinaryRead[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(new BinaryQuery(statementName(this.pool, this.text), this.text, reads)).done;
      client.release();
    } catch (error) {
      client.release(error as Error); // a response may be incomplete
      throw error;
    }
  }
}
