import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../../platform/clock/clock';
import { prepared } from '../../../platform/database/sql';
import type { Bucket } from '../../../platform/storage/bucket';
import { BucketWriter, UploadSlots } from './bucket-writer';
import { BucketReplacer } from './bucket-replacer';
import type { ChunkReplacer, ChunkStore, ChunkWriter, ContentOwner, ReadChunk } from '../chunk-store';
import type { DatabaseChunks } from '../database-chunks';
import { locationMismatch } from './location-mismatch';
import { INSERT_BUCKET_CONTENT, SELECT_LOCATION } from '../store-statements';
import { ENCRYPTED_BYTES } from './tail-upload';

/** The key prefix of all objects of a content. */
export const objectsOf = (content: string): string => `${content}/`;
export const objectOf = (content: string, index: number): string => objectsOf(content) + index;
/** The object of all chunks of a large document after its first ones. */
export const tailOf = (content: string): string => `${objectsOf(content)}tail`;

interface FoundContent {
  readonly location: string | null;
  readonly tail_from: number | null;
}

/**
 * Encrypted chunks as objects in a bucket; the rows of their contents stay in PostgreSQL. Contents that were stored in the database
 * before are still read from there.
 */
export class BucketChunks implements ChunkStore {
  /** Requests take longer than statements, and more of them can run at once. */
  readonly maxConcurrentWrites = 16;
  readonly maxPerDocument = 4;

  private readonly slots = new UploadSlots();

  constructor(
    private readonly bucket: Bucket,
    private readonly database: DatabaseChunks,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  writer(content: string, { uuid: ownerUuid, environmentUuid }: ContentOwner, keyVersion: number): ChunkWriter {
    const em = this.em.fork();
    return new BucketWriter(this.bucket, em, this.slots, {
      content,
      objectOf: (index) => objectOf(content, index),
      tailKey: tailOf(content),
      insert: () =>
        prepared(em, INSERT_BUCKET_CONTENT, [
          content,
          ownerUuid,
          environmentUuid,
          this.clock.now(),
          this.bucket.location,
          keyVersion,
        ]),
    });
  }

  async reader(content: string): Promise<ReadChunk> {
    const found = await this.find(content);
    if (!found) return () => Promise.resolve(null);
    return found.location === null ? this.database.reader(content) : this.objectReader(content, found.tail_from);
  }

  async replacer(content: string): Promise<ChunkReplacer | null> {
    const found = await this.find(content);
    if (!found) return null;
    if (found.location === null) return this.database.replacer(content);
    return BucketReplacer.begin(this.bucket, this.em.fork(), this.slots.memory, {
      content,
      tailFrom: found.tail_from,
      read: this.objectReader(content, found.tail_from),
      objectOf: (index) => objectOf(content, index),
      tailKey: tailOf(content),
    });
  }

  /** @throws when its bytes are in another bucket */
  private async find(content: string): Promise<FoundContent | null> {
    const [found] = await prepared<FoundContent>(this.em, SELECT_LOCATION, [content]);
    if (found && found.location !== null && found.location !== this.bucket.location) {
      throw locationMismatch(found.location);
    }
    return found ?? null;
  }

  private objectReader(content: string, tailFrom: number | null): ReadChunk {
    const from = tailFrom ?? Infinity;
    return (index, memory) =>
      index < from
        ? this.bucket.get(objectOf(content, index), memory)
        : this.bucket.getRange(tailOf(content), (index - from) * ENCRYPTED_BYTES, memory.subarray(0, ENCRYPTED_BYTES));
  }
}
