import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';

/** What stands before the value: the header, the number of columns and the value's length. */
const HEADER_BYTES = 19;
const PREFIX_BYTES = HEADER_BYTES + 2 + 4;
const LENGTH_AT = HEADER_BYTES + 2;

/**
 * Reads the one `bytea` of the one row that `select` finds into `memory`; answers the part of it that was filled, or null
 * when there is no row. By COPY in its binary format, as the driver reads everything else as text: of bytes twice as much,
 * in hexadecimal, and mostly as garbage, which costs a process that sends documents more than sending them.
 *
 * COPY takes no parameters: `select` must hold nothing that came from outside.
 * @throws RangeError when `memory` is too small.
 */
export async function readBytes(em: EntityManager, select: string, memory: Buffer): Promise<Buffer | null> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    const found = await copied(client, `copy (${select}) to stdout (format binary)`, memory);
    client.release();
    return found;
  } catch (error) {
    client.release(error as Error); // somewhere within an answer: nobody else can use it
    throw error;
  }
}

async function copied(client: PoolClient, statement: string, memory: Buffer): Promise<Buffer | null> {
  const copy = client.query(copyTo(statement));
  const ready = idle(copy);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  let at = 0;
  let end = PREFIX_BYTES; // of the value, in the bytes that come; known once the prefix is there
  for await (const part of copy as AsyncIterable<Buffer>) {
    let from = 0;
    if (at < PREFIX_BYTES) {
      from = part.copy(prefix, at);
      at += from;
      if (at < PREFIX_BYTES) continue;
      end += prefix.readInt32BE(LENGTH_AT);
      if (end - PREFIX_BYTES > memory.length) throw new RangeError('The memory is too small for these bytes.');
    }
    if (at < end) at += part.copy(memory, at - PREFIX_BYTES, from, from + (end - at));
  }
  await ready;
  return at === end && at >= PREFIX_BYTES ? memory.subarray(0, end - PREFIX_BYTES) : null;
}

/** Resolves when the server has ended its answer: only then may another use the connection. */
function idle(copy: CopyToStreamQuery): Promise<void> {
  return new Promise((resolve) => Object.assign(copy, { handleReadyForQuery: resolve }));
}
