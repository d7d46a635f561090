import { BufferPool } from '../../platform/buffers/buffer-pool';
import type { ProvisionedDocument } from '../../transactions/download/provisioned-document';

/** A body of up to this length is built once, signed and sent from memory; a longer one is streamed twice. */
export const IN_MEMORY_BYTES = 1024 * 1024;
/** Buffers of this length or more are reused; pooling shorter ones costs more than allocating them. */
const POOLED_BYTES = 64 * 1024;
/** Minimum pool size: several endpoints have documents in flight at the same time. */
const MIN_POOLED_BUFFERS = 32;

/** The body of a push: the whole JSON text in memory, or a function that streams it. */
export class PushBody {
  /** `memory` is the whole text; without it `read` streams it. `recycle` takes back memory that is no longer read. */
  constructor(
    /** Bytes. */
    readonly length: number,
    private memory: Buffer | null,
    private readonly read: () => AsyncIterable<Buffer>,
    private readonly recycle: (memory: Buffer) => void,
  ) {}

  /** The whole text; null when it is too long for that, or has been released. */
  get inMemory(): Buffer | null {
    return this.memory;
  }

  /**
   * Each part is valid until the next is requested.
   * @throws when the content cannot be read
   */
  parts(): AsyncIterable<Buffer> | readonly Buffer[] {
    return this.memory ? [this.memory] : this.read();
  }

  /**
   * Returns the memory to the pool. Call it only when every byte has left this process: otherwise the next document
   * would be sent in its place.
   */
  release(): void {
    const memory = this.memory;
    this.memory = null;
    if (memory && memory.length >= POOLED_BYTES) this.recycle(memory);
  }
}

/** Creates bodies in pooled memory. As garbage they would cause V8 to collect the whole heap again and again. */
export class PushBodyFactory {
  private readonly memory: BufferPool;

  /** `atOnce`: bodies that are in flight or prepared at the same time. */
  constructor(atOnce: number) {
    this.memory = new BufferPool(IN_MEMORY_BYTES, Math.max(MIN_POOLED_BUFFERS, atOnce));
  }

  /**
   * `content` opens the document's bytes, each part valid until the next is requested; it may be called more than once.
   * @throws when the content cannot be read
   */
  async create(payload: ProvisionedDocument, content: () => AsyncIterable<Buffer>): Promise<PushBody> {
    const { length } = payload;
    const inMemory = length > IN_MEMORY_BYTES ? null : await this.buildInMemory(payload, content());
    const keep = (memory: Buffer) => this.memory.release(memory);
    return new PushBody(length, inMemory, () => payload.parts(content()), keep);
  }

  private async buildInMemory(payload: ProvisionedDocument, content: AsyncIterable<Buffer>): Promise<Buffer> {
    const memory = payload.length < POOLED_BYTES ? Buffer.allocUnsafe(payload.length) : this.memory.acquire();
    const length = await payload.writeTo(memory, content);
    if (length !== payload.length) throw new Error(`The payload has ${length} bytes instead of ${payload.length}.`);
    return memory.subarray(0, length);
  }
}

/** A body that is being uploaded: whether and when its last byte was handed over. */
export class UploadTracker {
  readonly body: Buffer | AsyncIterable<Buffer>;
  complete: boolean;
  /** The error that prevented reading the document to its end; not caused by the receiver. */
  readError: unknown;
  private endedAt = performance.now();

  /** `soon`: a prompt response is expected, so a short body is kept in memory until then. */
  constructor(source: PushBody, soon: boolean) {
    const short = soon && source.inMemory && source.length < POOLED_BYTES ? source.inMemory : null;
    this.complete = short !== null;
    // undici requests the next part when the socket has sent the previous one, unless that was short: so the memory of
    // long parts can be reused.
    this.body = short ?? this.trackUpload(source);
  }

  /** Milliseconds since the receiver has had the whole body; 0 before. */
  msSinceComplete(): number {
    return this.complete ? performance.now() - this.endedAt : 0;
  }

  /** Continues after the last part only when it is on the wire, and never when the connection ends before. */
  private async *trackUpload(source: PushBody): AsyncGenerator<Buffer> {
    try {
      yield* source.parts();
    } catch (error) {
      this.readError = error;
      throw error;
    }
    this.endedAt = performance.now();
    this.complete = true;
    source.release(); // the response may take half a minute
  }
}
