import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../platform/clock/clock';
import { readBytes } from '../../platform/database/read-bytes';
import { prepared } from '../../platform/database/sql';
import type { ReadReplica } from '../../platform/replica/read-replica';
import { RequestScope } from '../../platform/request/request-scope';
import type { ReceivedContent, ChunkReplacer, ChunkStore, ChunkWriter, ContentOwner, ReadChunk } from './chunk-store';
import { locationMismatch } from './bucket/location-mismatch';
import {
  INSERT_CONTENT,
  COMPLETE_CONTENT,
  INSERT_CHUNK,
  READ_CHUNK,
  SELECT_LOCATION,
  REPLACE_CHUNK,
  END_REPLACEMENT,
} from './store-statements';

/** Encrypted chunks as rows in PostgreSQL. */
export class DatabaseChunks implements ChunkStore {
  /** More concurrent writes would wait for each other in the database, which costs a third more per chunk, and occupy the pool. */
  readonly maxConcurrentWrites = 4;
  /** One chunk is transferred while the next one is encrypted or decrypted. */
  readonly maxPerDocument = 1;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly replica: ReadReplica,
  ) {}

  writer(content: string, { uuid: ownerUuid, environmentUuid }: ContentOwner, keyVersion: number): ChunkWriter {
    const em = this.em.fork();
    return {
      write: async (index: number, ciphertext: Buffer) => {
        if (index === 0)
          await prepared(em, INSERT_CONTENT, [content, ownerUuid, environmentUuid, this.clock.now(), keyVersion]);
        await prepared(em, INSERT_CHUNK, [content, environmentUuid, index, ciphertext]);
      },
      end: async (ciphertext: Buffer, { size, sha256, chunks }: ReceivedContent) => {
        const now = this.clock.now();
        await prepared(em, COMPLETE_CONTENT, [
          content,
          ownerUuid,
          environmentUuid,
          size,
          sha256,
          chunks,
          now,
          chunks - 1,
          ciphertext,
          keyVersion,
        ]);
      },
    };
  }

  async replacer(content: string): Promise<ChunkReplacer> {
    const em = this.em.fork();
    return {
      wholeFrom: Infinity,
      read: await this.reader(content),
      replace: async (index, start, ciphertext) => {
        await prepared(em, REPLACE_CHUNK, [content, index, start, ciphertext]);
      },
      end: async (version) => (await prepared(em, END_REPLACEMENT, [content, version])).length > 0,
      abandon: () => Promise.resolve(),
    };
  }

  /** What a request downloads may come from the replica, where it is complete or missing. Workers read what has just been written. */
  async reader(content: string): Promise<ReadChunk> {
    const readReplica = RequestScope.get() ? await this.replica.bytesReader() : null;
    return async (index, memory) => {
      const chunk = [content, String(index)];
      const ciphertext =
        (await readReplica?.(READ_CHUNK, chunk, memory)) ?? (await readBytes(this.em, READ_CHUNK, chunk, memory));
      if (ciphertext) return ciphertext;
      const [found] = await prepared<{ location: string | null }>(this.em, SELECT_LOCATION, [content]);
      if (found?.location) throw locationMismatch(found.location);
      return null;
    };
  }
}
