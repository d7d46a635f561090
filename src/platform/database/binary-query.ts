import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import { interceptData } from '../buffers/reused-buffer-socket';

/** A message begins with a letter and the length of what follows, itself included (PostgreSQL 18, 54.7 “Message Formats”). */
const LENGTH_BYTES = 4;
const DATA_ROW = 'D'.charCodeAt(0);
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
/** What stands in a row before its only value: the number of columns and the value’s length, −1 for null. */
const BEFORE_VALUE = 2 + 4;

/** What the driver's connection takes and knows; its types do not say all of it. */
interface Wire {
  readonly stream: Duplex;
  /** Texts by the names under which the connection has prepared them. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly string[]; binary: boolean }): void;
  execute(): void;
  sync(): void;
}

/** One value of type `bytea` that a statement is asked for, and the memory that it goes into. */
export class BinaryRead {
  readonly answered: Promise<Buffer | null>;
  /** Whether `answered` has come to an end. */
  ended = false;
  private readonly resolve: (value: Buffer | null) => void;
  private readonly reject: (error: unknown) => void;
  private readonly beforeValue = Buffer.alloc(BEFORE_VALUE);
  private rowAt = 0;
  private rows = 0;
  private value: Buffer | null = null;
  private fault: Error | null = null;

  constructor(
    readonly values: readonly string[],
    private readonly memory: Buffer,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    [this.answered, this.resolve, this.reject] = [promise, resolve, reject];
  }

  take(part: Buffer): void {
    let from = 0;
    if (this.rowAt < BEFORE_VALUE) {
      from = part.copy(this.beforeValue, this.rowAt);
      this.rowAt += from;
      if (this.rowAt < BEFORE_VALUE) return;
      const length = Math.max(0, this.beforeValue.readInt32BE(2));
      if (length > this.memory.length) this.fault = new RangeError('The memory is too small for these bytes.');
      else this.value = this.memory.subarray(0, length);
    }
    if (!this.fault) part.copy(this.memory, this.rowAt - BEFORE_VALUE, from);
    this.rowAt += part.length - from;
  }

  endRow(): void {
    this.rows++;
    this.rowAt = 0;
    if (this.beforeValue.readInt16BE() !== 1 || this.rows > 1) {
      this.fault ??= new Error('This reads one value of one row.');
    } else if (this.beforeValue.readInt32BE(2) < 0) this.value = null;
  }

  end(): void {
    this.ended = true;
    if (this.fault) this.reject(this.fault);
    else this.resolve(this.value);
  }

  fail(error: unknown): void {
    this.ended = true;
    this.reject(error);
  }
}

/**
 * A prepared statement, run once for each read in one packet and one transaction, whose values go from the socket into memory
 * that is at hand. The driver reads every value as text: of bytes twice as much, in hexadecimal, and mostly as garbage. So rows
 * are read here; every other message goes to the driver, and so does all that comes when these are answered.
 */
export class BinaryQuery implements Submittable {
  /** Rejects when the server has refused one of them, or the connection is lost: then those from there on have not ended. */
  readonly done: Promise<void>;
  private readonly resolve: () => void;
  private readonly reject: (error: unknown) => void;
  private stream: ReturnType<typeof interceptData>;
  private answered = 0;

  /** Of the message that is being read: its letter, 0 between two; its length; how much of it is still to come. */
  private type = 0;
  private readonly length = Buffer.alloc(LENGTH_BYTES);
  private lengthAt = 0;
  private left = 0;

  /** `name` stands for `text`, and for nothing else, on every connection. */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly reads: readonly BinaryRead[],
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.done, this.resolve, this.reject] = [promise, resolve, reject];
  }

  /** Called by the driver when the connection has nothing else to do, and so nothing of another answer is under way. */
  submit(connection: Connection): void {
    const { name, text, reads } = this;
    const wire = connection as unknown as Wire;
    this.stream = interceptData(wire.stream, (bytes) => this.take(bytes));
    wire.stream.cork(); // one packet
    if (!wire.parsedStatements[name]) wire.parse({ name, text });
    for (const { values } of reads) {
      wire.bind({ statement: name, values, binary: true });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  /** Called by the driver: the server has refused the statement, or the connection is lost. */
  handleError(error: Error): void {
    this.reject(error);
  }

  /** Called by the driver: all of one read's answer has come. */
  handleCommandComplete(): void {
    this.reads[this.answered++]!.end();
  }

  handleReadyForQuery(): void {
    this.resolve();
  }

  /** Cuts what arrives into messages, wherever it was cut before. */
  private take(bytes: Buffer): void {
    let from = 0; // of what is for the driver
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
        this.stream.giveBack();
        return this.pass(bytes.subarray(from)); // and whatever comes behind it
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
    if (bytes.length > 0) this.stream.before(bytes);
  }
}
