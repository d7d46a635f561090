import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../platform/clock/clock';
import { prepared } from '../../platform/database/sql';
import type { Bucket } from '../../platform/storage/bucket';
import type { Arrived, ChunkStore, ChunkWriter, ReadChunk } from './chunk-store';
import type { DatabaseChunks } from './database-chunks';
import { locationMismatch } from './location-mismatch';
import { BEGIN_IN_BUCKET, END_IN_BUCKET, WHERE_IT_LIES } from './store-statements';

/** What all objects of a content begin with. */
export const objectsOf = (content: string): string => `${content}/`;
export const objectOf = (content: string, index: number): string => objectsOf(content) + index;

/**
 * Sealed chunks in a bucket, an object each; the rows of their contents stay in PostgreSQL. What was stored before there was a
 * bucket is read from where it lies.
 */
export class BucketChunks implements ChunkStore {
  /** A request takes longer than a statement, and there is room for more of them. */
  readonly writesAtOnce = 16;
  readonly ofOneAtOnce = 4;

  constructor(
    private readonly bucket: Bucket,
    private readonly database: DatabaseChunks,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  writer(content: string, ownerUuid: string): ChunkWriter {
    const em = this.em.fork();
    let begun: Promise<unknown> | undefined;
    const write = async (index: number, sealed: Buffer) => {
      begun ??= prepared(em, BEGIN_IN_BUCKET, [content, ownerUuid, this.clock.now(), this.bucket.location]);
      await begun;
      await this.bucket.put(objectOf(content, index), sealed);
    };
    return {
      write,
      end: async (sealed: Buffer, { size, sha256, chunks }: Arrived) => {
        await write(chunks - 1, sealed);
        const whole = await prepared(em, END_IN_BUCKET, [content, size, sha256, chunks]);
        if (whole.length === 0) throw new Error(`Content ${content} was deleted while it arrived.`);
      },
    };
  }

  async reader(content: string): Promise<ReadChunk> {
    const [found] = await prepared<{ location: string | null }>(this.em, WHERE_IT_LIES, [content]);
    if (!found) return () => Promise.resolve(null);
    if (found.location === null) return this.database.reader(content);
    if (found.location !== this.bucket.location) throw locationMismatch(found.location);
    return (index, memory) => this.bucket.get(objectOf(content, index), memory);
  }
}
