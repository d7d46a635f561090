import type { EntityManager } from '@mikro-orm/postgresql';
import type { Connection, Submittable } from 'pg';
import { statementName } from './prepared-statement';

/**
 * Runs one fixed statement outside of transactions, prepared like by `prepared`; its last parameter is `bytes`. The bytes are
 * sent without a copy: the driver would copy them first, 256 KiB of garbage per chunk of content. After this has resolved, the
 * buffer is no longer read; after a rejection it may still be.
 */
export async function writeBytes(
  em: EntityManager,
  text: string,
  parameters: readonly (string | number | Date)[],
  bytes: Buffer,
): Promise<void> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    await client.query(new BinaryStatement(statementName(pool, text), text, parameters, bytes)).done;
    client.release();
  } catch (error) {
    client.release(error as Error); // a response may be incomplete
    throw error;
  }
}

/** The driver's connection with a property that its types do not declare. */
type DriverConnection = Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/** Like the driver's own query, for a statement that returns no rows; PostgreSQL's protocol 3.0, extended query. */
class BinaryStatement implements Submittable {
  readonly done: Promise<void>;
  /** Called by the driver when the response is complete, so that the server has read everything. */
  readonly handleReadyForQuery: () => void;
  /** Called by the driver with an error of the server or the connection. */
  readonly handleError: (error: Error) => void;

  /** The driver caches the parsed statement by `name` and `text`, unless the name is empty. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly parameters: readonly (string | number | Date)[],
    private readonly bytes: Buffer,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.done, this.handleReadyForQuery, this.handleError] = [promise, resolve, reject];
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as DriverConnection;
    stream.cork(); // everything in one writev
    try {
      if (!(this.name in parsedStatements)) {
        connection.parse({ name: this.name, text: this.text, types: [] }, true);
      }
      stream.write(bindUpTo(this.bytes.length, this.name, this.parameters));
      stream.write(this.bytes);
      stream.write(EXECUTE_AND_SYNC);
    } finally {
      stream.uncork();
    }
  }

  handleCommandComplete(): void {
    // The response ends with ReadyForQuery.
  }
}

const TEXT = 0;
const BINARY = 1;

/** The Bind message up to the beginning of its last value, which has `length` bytes. */
function bindUpTo(length: number, statement: string, parameters: readonly (string | number | Date)[]): Buffer {
  const count = parameters.length + 1;
  const parts = [
    Buffer.from(`\0${statement}\0`), // the unnamed portal
    int16s(count, ...parameters.map(() => TEXT), BINARY),
    int16s(count),
    ...parameters.flatMap((parameter) => {
      const value = Buffer.from(parameter instanceof Date ? parameter.toISOString() : String(parameter));
      return [int32(value.length), value];
    }),
    int32(length),
  ];
  const before = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from('B'), int32(4 + before + length + RESULT_FORMATS.length), ...parts]);
}

function int16s(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  numbers.forEach((number, at) => bytes.writeInt16BE(number, 2 * at));
  return bytes;
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

/** The end of Bind: no result formats, because no rows are expected. */
const RESULT_FORMATS = int16s(0);
/** The end of Bind, Execute without a limit of rows, and Sync. */
const EXECUTE_AND_SYNC = Buffer.concat([
  RESULT_FORMATS,
  Buffer.from('E'),
  int32(9),
  Buffer.alloc(5),
  Buffer.from('S'),
  int32(4),
]);
