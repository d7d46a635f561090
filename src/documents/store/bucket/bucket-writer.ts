import type { EntityManager } from '@mikro-orm/postgresql';
import { BufferPool } from '../../../platform/buffers/buffer-pool';
import { prepared } from '../../../platform/database/sql';
import { withVersion } from '../../../platform/crypto/key-ring';
import type { Bucket } from '../../../platform/storage/bucket';
import type { ChunkWriter, ReceivedContent } from '../chunk-store';
import { COMPLETE_BUCKET_CONTENT } from '../store-statements';
import { PART_BYTES, TailUpload } from './tail-upload';

/** The first chunks of a document, 5 MiB, are objects of their own: all of most documents, which need no memory for parts. */
const OWN_OBJECTS = 20;
/** Documents that may be uploaded in parts at a time, with two parts in memory each. All chunks of further ones are objects of their own. */
const MOST_UPLOADS = 4;

/** What the writers of one process share. */
export class UploadSlots {
  /** Two unused parts are kept. */
  readonly memory = new BufferPool(PART_BYTES, 2);
  private free = MOST_UPLOADS;

  take(): boolean {
    if (this.free === 0) return false;
    this.free--;
    return true;
  }

  release(): void {
    this.free++;
  }
}

interface Written {
  readonly content: string;
  readonly objectOf: (index: number) => string;
  readonly tailKey: string;
  /** Inserts the row, before the first object. */
  readonly insert: () => Promise<unknown>;
}

/** Writes one document into a bucket. */
export class BucketWriter implements ChunkWriter {
  private begun: Promise<unknown> | undefined;
  /** Undefined until the first chunk after the objects of their own; null: there is no memory for parts. */
  private tail: TailUpload | null | undefined;

  constructor(
    private readonly bucket: Bucket,
    private readonly em: EntityManager,
    private readonly slots: UploadSlots,
    private readonly written: Written,
  ) {}

  async write(index: number, ciphertext: Buffer): Promise<void> {
    await this.inserted();
    const tail = this.tailFor(index);
    if (tail) await tail.write(index - OWN_OBJECTS, ...withVersion(ciphertext));
    else await this.bucket.put(this.written.objectOf(index), ciphertext);
  }

  async end(ciphertext: Buffer, { size, sha256, chunks }: ReceivedContent): Promise<void> {
    const last = chunks - 1;
    await this.inserted();
    const tail = this.tailFor(last);
    if (tail) await tail.end(last - OWN_OBJECTS, ...withVersion(ciphertext));
    else await this.bucket.put(this.written.objectOf(last), ciphertext);
    const { content } = this.written;
    const tailFrom = tail ? OWN_OBJECTS : null;
    const whole = await prepared(this.em, COMPLETE_BUCKET_CONTENT, [content, size, sha256, chunks, tailFrom]);
    if (whole.length === 0) throw new Error(`Content ${content} was deleted while it was being stored.`);
    if (tail) this.slots.release();
  }

  async abandon(): Promise<void> {
    const { tail } = this;
    if (!tail) return;
    // What remains, the removal of objects finds a day later.
    await tail.abandon().catch(() => undefined);
    this.slots.release();
  }

  private inserted(): Promise<unknown> {
    this.begun ??= this.written.insert();
    return this.begun;
  }

  private tailFor(index: number): TailUpload | null {
    if (index < OWN_OBJECTS) return null;
    if (this.tail === undefined) {
      this.tail = this.slots.take() ? new TailUpload(this.bucket, this.written.tailKey, this.slots.memory) : null;
    }
    return this.tail;
  }
}
