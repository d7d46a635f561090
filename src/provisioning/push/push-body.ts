import { SpareMemory } from '../../platform/buffers/spare-memory';
import type { ProvisionedDocument } from '../../transactions/download/provisioned-document';

/** Up to this length a body is built once, signed and sent from memory; a longer one is streamed twice. */
export const IN_MEMORY_BYTES = 1024 * 1024;
/** From this length on the memory is used again: shorter ones cost less than looking after them. */
const POOLED_BYTES = 64 * 1024;
/** Several endpoints have documents on their way at the same time. */
const MIN_POOLED_BUFFERS = 32;

/** A document as it is sent: the whole JSON text in memory, or the way to read it. */
export class PushBody {
  /** `inMemory` is the whole text; without it `read` opens it part by part. `keep` takes memory back that is no longer read. */
  constructor(
    /** Bytes. */
    readonly length: number,
    private memory: Buffer | null,
    private readonly read: () => AsyncIterable<Buffer>,
    private readonly recycle: (memory: Buffer) => void,
  ) {}

  /** The whole text, unless it is too long for that, or has been released. */
  get inMemory(): Buffer | null {
    return this.memory;
  }

  /** Each part is good until the next is asked for. @throws when the content cannot be read */
  parts(): AsyncIterable<Buffer> | readonly Buffer[] {
    return this.memory ? [this.memory] : this.read();
  }

  /** Lets its memory go. Only when every byte has left this process: otherwise the next document would leave in its place. */
  release(): void {
    const memory = this.memory;
    this.memory = null;
    if (memory && memory.length >= POOLED_BYTES) this.recycle(memory);
  }
}

/** Makes bodies, in memory that goes round: as garbage it would make V8 look through the whole heap again and again. */
export class PushBodyFactory {
  private readonly memory: SpareMemory;

  /** `atOnce`: so many are on their way or ready to leave. */
  constructor(atOnce: number) {
    this.memory = new SpareMemory(IN_MEMORY_BYTES, Math.max(MIN_POOLED_BUFFERS, atOnce));
  }

  /** `content` opens the document's bytes, each part good until the next is asked for; more than once if need be. @throws when it cannot be read */
  async create(payload: ProvisionedDocument, content: () => AsyncIterable<Buffer>): Promise<PushBody> {
    const { length } = payload;
    const inMemory = length > IN_MEMORY_BYTES ? null : await this.buildInMemory(payload, content());
    const keep = (memory: Buffer) => this.memory.keep(memory);
    return new PushBody(length, inMemory, () => payload.parts(content()), keep);
  }

  private async buildInMemory(payload: ProvisionedDocument, content: AsyncIterable<Buffer>): Promise<Buffer> {
    const memory = payload.length < POOLED_BYTES ? Buffer.allocUnsafe(payload.length) : this.memory.take();
    const length = await payload.writeTo(memory, content);
    if (length !== payload.length) throw new Error(`The payload has ${length} bytes instead of ${payload.length}.`);
    return memory.subarray(0, length);
  }
}

/** A body on its way to the receiver: whether it has been handed over to the last byte, and since when. */
export class UploadTracker {
  readonly body: Buffer | AsyncIterable<Buffer>;
  complete: boolean;
  /** Why the document could not be read to its end, which is no fault of the receiver's. */
  readError: unknown;
  private endedAt = performance.now();

  /** `soon`: an answer is expected at once, so that a short body may as well be held until then. */
  constructor(source: PushBody, soon: boolean) {
    const short = soon && source.inMemory && source.length < POOLED_BYTES ? source.inMemory : null;
    this.complete = short !== null;
    // undici asks for the next part when the socket has nothing left of this one, unless that was short: so the memory of
    // long parts can be reused.
    this.body = short ?? this.trackUpload(source);
  }

  /** How long the receiver has had all of it; 0 while it has not. */
  msSinceComplete(): number {
    return this.complete ? performance.now() - this.endedAt : 0;
  }

  /** Goes on behind the last piece only when that is on the wire, and not at all when the connection ends before. */
  private async *trackUpload(source: PushBody): AsyncGenerator<Buffer> {
    try {
      yield* source.parts();
    } catch (error) {
      this.readError = error;
      throw error;
    }
    this.endedAt = performance.now();
    this.complete = true;
    source.release(); // an endpoint may take half a minute to answer
  }
}
