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

/** One execution of a statement that returns one `bytea` value, and the memory that receives the value. */
export class BinaryRead {
  readonly answered: Promise<Buffer | null>;
  /** Whether `answered` is settled. */
  ended = false;
  private readonly resolve: (value: Buffer | null) => void;
  private readonly reject: (error: unknown) => void;
  private readonly rowHeader = Buffer.alloc(ROW_HEADER_BYTES);
  private rowAt = 0;
  private rows = 0;
  private value: Buffer | null = null;
  private failure: Error | null = null;

  constructor(
    readonly values: readonly string[],
    private readonly memory: Buffer,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    [this.answered, this.resolve, this.reject] = [promise, resolve, reject];
  }

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

  end(): void {
    this.ended = true;
    if (this.failure) this.reject(this.failure);
    else this.resolve(this.value);
  }

  fail(error: unknown): void {
    this.ended = true;
    this.reject(error);
  }
}

/**
 * A statement, prepared if it has a name, and executed once for each read in one packet and one transaction, whose values are
 * copied from the socket into the given memory. The driver would read every value as text: twice the size, in hexadecimal, and
 * as garbage, which takes a worker four to six times the CPU time per document of 150 KB (`npm run bench -- push-rate`). Rows
 * are therefore parsed here; all other messages, and everything after the last response, are forwarded to the driver.
 */
export class BinaryQuery implements Submittable {
  /** Rejects when the server rejects one of the reads, or the connection is lost: that read and the later ones are unsettled. */
  readonly done: Promise<void>;
  private readonly resolve: () => void;
  private readonly reject: (error: unknown) => void;
  private stream: ReturnType<typeof interceptData>;
  private answered = 0;

  /** The message that is being read: its type (0 between two messages), its length, and the bytes that are still missing. */
  private type = 0;
  private readonly length = Buffer.alloc(LENGTH_BYTES);
  private lengthAt = 0;
  private left = 0;

  /** `name` identifies `text` on every connection; when it is empty, the statement is parsed for every packet. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly reads: readonly BinaryRead[],
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.done, this.resolve, this.reject] = [promise, resolve, reject];
  }

  /** Called by the driver when the connection is idle, so that no other response is in progress. */
  submit(connection: Connection): void {
    const { name, text, reads } = this;
    const wire = connection as unknown as DriverConnection;
    this.stream = interceptData(wire.stream, (bytes) => this.take(bytes));
    wire.stream.cork(); // one packet
    if (!name || !wire.parsedStatements[name]) wire.parse({ name, text });
    for (const { values } of reads) {
      wire.bind({ statement: name, values, binary: true });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  /** Called by the driver when the server rejects the statement or the connection is lost. */
  handleError(error: Error): void {
    this.reject(error);
  }

  /** Called by the driver when the response to one read is complete. */
  handleCommandComplete(): void {
    this.reads[this.answered++]!.end();
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
        if (this.type === DATA_ROW) this.reads[this.answered]!.take(part);
        at += part.length;
        this.left -= part.length;
      }
      if (this.lengthAt < LENGTH_BYTES || this.left > 0) continue;
      if (this.type === READY_FOR_QUERY) {
        this.stream.restore();
        return this.pass(bytes.subarray(from)); // and everything after it
      }
      if (this.type === DATA_ROW) {
        this.reads[this.answered]!.endRow();
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
