import type { BufferPool } from '../../../platform/buffers/buffer-pool';
import { MAX_ENCRYPTION_OVERHEAD } from '../../../platform/crypto/key-ring';
import type { Bucket } from '../../../platform/storage/bucket';
import type { Upload } from '../../../platform/storage/uploads';
import { CHUNK_BYTES } from '../document-store';

/** An encrypted chunk that is not the last one. All of them name the version of their key: chunks have their places whatever it is. */
export const ENCRYPTED_BYTES = CHUNK_BYTES + MAX_ENCRYPTION_OVERHEAD;
/** Chunks in a part: just above the smallest part of S3, 5 MiB. */
export const PART_CHUNKS = 20;
export const PART_BYTES = PART_CHUNKS * ENCRYPTED_BYTES;

interface Part {
  readonly memory: Buffer;
  chunks: number;
}

/**
 * The chunks of one document from a position on as one object, in parts of a fixed size. Two parts are in memory at most: one is
 * sent while the next one is filled. Chunks may arrive in another order than theirs, as long as few are on their way.
 */
export class TailUpload {
  private readonly filling = new Map<number, Promise<Part>>();
  private readonly sent = new Map<number, Promise<string>>();
  private begun: Promise<Upload> | null = null;
  private isOver = false;

  constructor(
    private readonly bucket: Bucket,
    private readonly key: string,
    private readonly memory: BufferPool,
  ) {}

  /** Resolves when `ciphertext` is no longer read. `position`: 0 for the first chunk of the object. */
  async write(position: number, ...ciphertext: readonly Buffer[]): Promise<void> {
    const number = Math.floor(position / PART_CHUNKS);
    const part = await this.partOf(number);
    if (this.isOver) throw new Error('Its document has failed.');
    copyInto(part.memory, (position % PART_CHUNKS) * ENCRYPTED_BYTES, ciphertext);
    if (++part.chunks === PART_CHUNKS) this.send(number, part.memory, PART_BYTES);
  }

  /** Writes the last chunk, after all others. The object exists when this has resolved. */
  async end(position: number, ...ciphertext: readonly Buffer[]): Promise<void> {
    const number = Math.floor(position / PART_CHUNKS);
    const { memory } = await this.partOf(number);
    const offset = (position % PART_CHUNKS) * ENCRYPTED_BYTES;
    const bytes = copyInto(memory, offset, ciphertext);
    if (!this.begun) {
      await this.bucket.put(this.key, memory.subarray(0, bytes));
      this.memory.release(memory);
      return;
    }
    this.send(number, memory, bytes);
    const etags = await Promise.all(Array.from({ length: number + 1 }, (_, at) => this.sent.get(at)!));
    const isJoined = await this.bucket.uploads.complete(await this.begun, etags);
    if (!isJoined && !(await this.isComplete(position * ENCRYPTED_BYTES + bytes - offset)))
      throw new Error(`The upload of ${this.key} was aborted.`);
  }

  /** Aborts the upload when no part is on its way any more: a part that arrives after the abort would stay. */
  async abandon(): Promise<void> {
    this.isOver = true;
    await Promise.allSettled(this.sent.values());
    if (this.begun) await this.bucket.uploads.abort(await this.begun);
  }

  private async partOf(number: number): Promise<Part> {
    const present = this.filling.get(number);
    if (present) return present;
    const acquired = this.acquire(number);
    this.filling.set(number, acquired);
    return acquired;
  }

  private async acquire(number: number): Promise<Part> {
    await this.sent.get(number - 2);
    return { memory: this.memory.acquire(), chunks: 0 };
  }

  private send(number: number, memory: Buffer, bytes: number): void {
    this.filling.delete(number);
    const sent = this.put(number + 1, memory.subarray(0, bytes)).finally(() => this.memory.release(memory));
    sent.catch(() => undefined); // thrown at its await
    this.sent.set(number, sent);
  }

  private async put(number: number, body: Buffer): Promise<string> {
    this.begun ??= this.bucket.uploads.begin(this.key);
    return this.bucket.uploads.put(await this.begun, number, body);
  }

  /** Whether the object ends at this length: the answer to the request that has completed the upload may have been lost. */
  private async isComplete(length: number): Promise<boolean> {
    const byte = Buffer.alloc(1);
    const [last, beyond] = [
      await this.bucket.getRange(this.key, length - 1, byte),
      await this.bucket.getRange(this.key, length, byte),
    ];
    return last?.length === 1 && beyond === null;
  }
}

/** Returns the end of what was copied. */
function copyInto(memory: Buffer, offset: number, parts: readonly Buffer[]): number {
  let end = offset;
  for (const part of parts) {
    memory.set(part, end);
    end += part.length;
  }
  return end;
}
