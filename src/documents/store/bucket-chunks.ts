import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../platform/clock/clock';
import { prepared } from '../../platform/database/sql';
import type { Bucket } from '../../platform/storage/bucket';
import type { ReceivedContent, ChunkStore, ChunkWriter, ContentOwner, ReadChunk } from './chunk-store';
import type { DatabaseChunks } from './database-chunks';
import { locationMismatch } from './location-mismatch';
import { INSERT_BUCKET_CONTENT, COMPLETE_BUCKET_CONTENT, SELECT_LOCATION } from './store-statements';

/** The key prefix of all objects of a content. */
export const objectsOf = (content: string): string => `${content}/`;
export const objectOf = (content: string, index: number): string => objectsOf(content) + index;

/**
 * Encrypted chunks as objects in a bucket; the rows of their contents stay in PostgreSQL. Contents that were stored in the database
 * before are still read from there.
 */
export class BucketChunks implements ChunkStore {
  /** Requests take longer than statements, and more of them can run at once. */
  readonly maxConcurrentWrites = 16;
  readonly maxPerDocument = 4;

  constructor(
    private readonly bucket: Bucket,
    private readonly database: DatabaseChunks,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  writer(content: string, { uuid: ownerUuid, environmentUuid }: ContentOwner): ChunkWriter {
    const em = this.em.fork();
    let begun: Promise<unknown> | undefined;
    const write = async (index: number, ciphertext: Buffer) => {
      begun ??= prepared(em, INSERT_BUCKET_CONTENT, [
        content,
        ownerUuid,
        environmentUuid,
        this.clock.now(),
        this.bucket.location,
      ]);
      await begun;
      await this.bucket.put(objectOf(content, index), ciphertext);
    };
    return {
      write,
      end: async (ciphertext: Buffer, { size, sha256, chunks }: ReceivedContent) => {
        await write(chunks - 1, ciphertext);
        const whole = await prepared(em, COMPLETE_BUCKET_CONTENT, [content, size, sha256, chunks]);
        if (whole.length === 0) throw new Error(`Content ${content} was deleted while it was being stored.`);
      },
    };
  }

  async reader(content: string): Promise<ReadChunk> {
    const [found] = await prepared<{ location: string | null }>(this.em, SELECT_LOCATION, [content]);
    if (!found) return () => Promise.resolve(null);
    if (found.location === null) return this.database.reader(content);
    if (found.location !== this.bucket.location) throw locationMismatch(found.location);
    return (index, memory) => this.bucket.get(objectOf(content, index), memory);
  }
}
