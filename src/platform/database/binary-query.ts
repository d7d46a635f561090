import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import { interceptData } from '../buffers/reused-buffer-socket';

/** A message begins with a type byte and its length, which includes the length field (PostgreSQL 18, 54.7 “Message Formats”). */
const LENGTH_BYTES = 4;
const DATA_ROW = 'D'.charCodeAt(0);
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
/** Bytes of a row before its only value: the number of columns, and the length of the value, −1 for null. */
const ROW_HEADER_BYTES = 2 + 4;

/** The parts of the driver's connection that its types do not declare. */
interface DriverConnection {
  readonly stream: Duplex;
  /** The prepared statements of the connection, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly string[]; binary: boolean }): void;
  execute(): void;
  sync(): void;
}

/** The one `bytea` value of the one row of a response, which is copied into the given memory while it arrives. */
class BinaryValue {
  private readonly rowHeader = Buffer.alloc(ROW_HEADER_BYTES);
  private rowAt = 0;
  private rows = 0;
  private value: Buffer | null = null;
  private failure: Error | null = null;

  constructor(private readonly memory: Buffer) {}

  take(part: Buffer): void {
    let from = 0;
    if (this.rowAt < ROW_HEADER_BYTES) {
      from = part.copy(this.rowHeader, this.rowAt);
      this.rowAt += from;
      if (this.rowAt < ROW_HEADER_BYTES) return;
      const length = Math.max(0, this.rowHeader.readInt32BE(2));
      if (length > this.memory.length) this.failure = new RangeError('The memory is too small for this value.');
      else this.value = this.memory.subarray(0, length);
    }
    if (!this.failure) part.copy(this.memory, this.rowAt - ROW_HEADER_BYTES, from);
    this.rowAt += part.length - from;
  }

  endRow(): void {
    this.rows++;
    this.rowAt = 0;
    if (this.rowHeader.readInt16BE() !== 1 || this.rows > 1) {
      this.failure ??= new Error('This reads one value of one row.');
    } else if (this.rowHeader.readInt32BE(2) < 0) this.value = null;
  }

  /** @throws RangeError when the memory is too small; an error for any other response than one value of one row */
  result(): Buffer | null {
    if (this.failure) throw this.failure;
    return this.value;
  }
}

/**
 * A statement, prepared if it has a name, that reads one value from the socket into the given memory. The driver would read it
 * as text: twice the size, in hexadecimal, and as garbage, which takes a worker four to six times the CPU time per document of
 * 150 KB (`npm run bench -- push-rate`). The row is therefore parsed here; all other messages, and everything after the
 * response, are forwarded to the driver.
 */
export class BinaryQuery implements Submittable {
  /** Resolves when the response is complete. Rejects when the server rejects the statement, or the connection is lost. */
  readonly done: Promise<void>;
  private readonly resolve: () => void;
  private readonly reject: (error: unknown) => void;
  private readonly value: BinaryValue;
  private stream: ReturnType<typeof interceptData>;

  /** The message that is being read: its type (0 between two messages), its length, and the bytes that are still missing. */
  private type = 0;
  private readonly length = Buffer.alloc(LENGTH_BYTES);
  private lengthAt = 0;
  private left = 0;

  /** `name` identifies `text` on every connection; when it is empty, the statement is parsed for every execution. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly string[],
    memory: Buffer,
  ) {
    this.value = new BinaryValue(memory);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.done, this.resolve, this.reject] = [promise, resolve, reject];
  }

  /**
   * The filled part of the memory, or null for no row or a null. Only after `done` has resolved.
   * @throws RangeError when the memory is too small
   */
  result(): Buffer | null {
    return this.value.result();
  }

  /** Called by the driver when the connection is idle, so that no other response is in progress. */
  submit(connection: Connection): void {
    const { name, text, values } = this;
    const wire = connection as unknown as DriverConnection;
    this.stream = interceptData(wire.stream, (bytes) => this.take(bytes));
    wire.stream.cork(); // one packet
    if (!name || !wire.parsedStatements[name]) wire.parse({ name, text });
    wire.bind({ statement: name, values, binary: true });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
  }

  /** Called by the driver when the server rejects the statement or the connection is lost. */
  handleError(error: Error): void {
    this.reject(error);
  }

  handleCommandComplete(): void {
    // The response ends with ReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.resolve();
  }

  /** Splits the received bytes into messages, independently of packet boundaries. */
  private take(bytes: Buffer): void {
    let from = 0; // of the bytes for the driver
    for (let at = 0; at < bytes.length;) {
      if (this.type === 0) {
        this.type = bytes[at]!;
        if (this.type === DATA_ROW) this.pass(bytes.subarray(from, at));
        at++;
      } else if (this.lengthAt < LENGTH_BYTES) {
        this.length[this.lengthAt++] = bytes[at++]!;
        if (this.lengthAt === LENGTH_BYTES) this.left = this.length.readInt32BE() - LENGTH_BYTES;
      } else {
        const part = bytes.subarray(at, at + this.left);
        if (this.type === DATA_ROW) this.value.take(part);
        at += part.length;
        this.left -= part.length;
      }
      if (this.lengthAt < LENGTH_BYTES || this.left > 0) continue;
      if (this.type === READY_FOR_QUERY) {
        this.stream.restore();
        return this.pass(bytes.subarray(from)); // and everything after it
      }
      if (this.type === DATA_ROW) {
        this.value.endRow();
        from = at;
      }
      this.type = this.lengthAt = 0;
    }
    if (this.type !== DATA_ROW) this.pass(bytes.subarray(from));
  }

  private pass(bytes: Buffer): void {
    if (bytes.length > 0) this.stream.forward(bytes);
  }
}
