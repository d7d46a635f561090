import type { EntityManager } from '@mikro-orm/postgresql';
import type { BufferPool } from '../../../platform/buffers/buffer-pool';
import { keyVersionOf } from '../../../platform/crypto/key-ring';
import { affected, sql } from '../../../platform/database/sql';
import type { Bucket } from '../../../platform/storage/bucket';
import type { ChunkReplacer, ReadChunk } from '../chunk-store';
import { TailUpload } from './tail-upload';

const LEASE = `clock_timestamp() + interval '3 minutes'`;
/** A request, with its repetitions, takes less than the rest of the lease. */
const RENEW_MS = 30_000;
const HEADER_BYTES = 8;

interface ReplacedContent {
  readonly content: string;
  readonly tailFrom: number | null;
  readonly read: ReadChunk;
  readonly objectOf: (index: number) => string;
  readonly tailKey: string;
}

/**
 * Replaces the objects of one content. They can be written by one process only, which holds a lease: storages have no conditional
 * writes in common. While it is held, the objects of a content that is deleted are removed a day later.
 */
export class BucketReplacer implements ChunkReplacer {
  private tail: TailUpload | null = null;
  private renewedAt = performance.now();

  private constructor(
    private readonly bucket: Bucket,
    private readonly em: EntityManager,
    private readonly memory: BufferPool,
    private readonly replaced: ReplacedContent,
    private lease: string,
  ) {}

  /** Null when another process holds the lease, or the content does not exist. */
  static async begin(
    bucket: Bucket,
    em: EntityManager,
    memory: BufferPool,
    replaced: ReplacedContent,
  ): Promise<BucketReplacer | null> {
    const [row] = await sql<{ lease: string }>(
      em,
      `update content set reencrypting_until = ${LEASE}
       where uuid = $1 and (reencrypting_until is null or reencrypting_until < clock_timestamp())
       returning reencrypting_until::text as lease`,
      [replaced.content],
    );
    return row ? new BucketReplacer(bucket, em, memory, replaced, row.lease) : null;
  }

  get wholeFrom(): number {
    return this.replaced.tailFrom ?? Infinity;
  }

  get read(): ReadChunk {
    return this.replaced.read;
  }

  async replace(index: number, _start: Buffer, ciphertext: Buffer, isLast: boolean): Promise<void> {
    if (performance.now() - this.renewedAt > RENEW_MS) await this.renew();
    const { objectOf } = this.replaced;
    if (index < this.wholeFrom) return this.bucket.put(objectOf(index), ciphertext);
    this.tail ??= await this.beginTail();
    const position = index - this.wholeFrom;
    await (isLast ? this.tail.end(position, ciphertext) : this.tail.write(position, ciphertext));
  }

  async end(version: number): Promise<boolean> {
    if (this.tail) await this.assertReplaced(version);
    const ended = await affected(
      this.em,
      `update content set key_version = $3, reencrypting_until = null
       where uuid = $1 and reencrypting_until = $2::timestamptz and key_version < $3`,
      [this.replaced.content, this.lease, version],
    );
    return ended > 0;
  }

  /** The lease ends by itself, when no request is under way any more. */
  async abandon(): Promise<void> {
    await this.tail?.abandon().catch(() => undefined);
  }

  /** An upload of a process that has been killed or has lost its lease must neither stay nor be completed later. */
  private async beginTail(): Promise<TailUpload> {
    const { tailKey } = this.replaced;
    await this.bucket.uploads.abortAll(tailKey);
    return new TailUpload(this.bucket, tailKey, this.memory);
  }

  /** The former tail is as long as the new one, so the length does not say whether the upload was completed. */
  private async assertReplaced(version: number): Promise<void> {
    const { tailKey } = this.replaced;
    const start = await this.bucket.getRange(tailKey, 0, Buffer.alloc(HEADER_BYTES));
    if (!start || keyVersionOf(start) !== version) throw new Error(`The object ${tailKey} was not replaced.`);
  }

  private async renew(): Promise<void> {
    const [row] = await sql<{ lease: string }>(
      this.em,
      `update content set reencrypting_until = ${LEASE} where uuid = $1 and reencrypting_until = $2::timestamptz
       returning reencrypting_until::text as lease`,
      [this.replaced.content, this.lease],
    );
    if (!row) throw new Error(`The content ${this.replaced.content} was deleted, or is encrypted by another process.`);
    this.lease = row.lease;
    this.renewedAt = performance.now();
  }
}
