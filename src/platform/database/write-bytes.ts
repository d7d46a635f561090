import type { EntityManager } from '@mikro-orm/postgresql';
import type { Connection, Submittable } from 'pg';
import { statementName } from './sql';

/**
 * Runs one fixed statement outside of transactions, prepared as by `prepared`; its last parameter is `bytes`. They are sent
 * from where they lie: the driver would copy them into memory of its own first, 256 KiB of garbage for a chunk of content.
 * Once this has resolved, nobody reads from them any more; when it rejects, somebody still may.
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
    await client.query(new BinaryStatement(text, parameters, bytes)).done;
    client.release();
  } catch (error) {
    client.release(error as Error); // perhaps within an answer: nobody else can use it
    throw error;
  }
}

/** What the driver's connection has besides what its types tell. */
type Wire = Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/** As the driver's own query, for a statement that answers no rows; PostgreSQL's protocol 3.0, extended query. */
class BinaryStatement implements Submittable {
  /** The driver remembers what is parsed by these two. */
  readonly name: string;
  readonly done: Promise<void>;
  /** Called by the driver: the server has ended its answer, so it has read everything. */
  readonly handleReadyForQuery: () => void;
  /** Called by the driver with the server's error or the connection's. */
  readonly handleError: (error: Error) => void;

  constructor(
    readonly text: string,
    private readonly parameters: readonly (string | number | Date)[],
    private readonly bytes: Buffer,
  ) {
    this.name = statementName(text);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.done, this.handleReadyForQuery, this.handleError] = [promise, resolve, reject];
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as Wire;
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
    // The answer ends with ReadyForQuery.
  }
}

const TEXT = 0;
const BINARY = 1;

/** A Bind message up to where its last value begins: text values, and bytes of that length. */
function bindUpTo(length: number, statement: string, parameters: readonly (string | number | Date)[]): Buffer {
  const count = parameters.length + 1;
  const parts = [
    Buffer.from(`\0${statement}\0`), // of the portal without a name
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

/** How Bind ends: no results are expected, so no formats of theirs. */
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
