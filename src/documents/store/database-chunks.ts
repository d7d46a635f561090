import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../platform/clock/clock';
import { readBytes } from '../../platform/database/read-bytes';
import { prepared } from '../../platform/database/sql';
import { writeBytes } from '../../platform/database/write-bytes';
import type { Arrived, ChunkStore, ChunkWriter, ReadChunk } from './chunk-store';
import { locationMismatch } from './location-mismatch';
import { BEGIN, END, GO_ON, READ, WHERE_IT_LIES } from './store-statements';

/** Sealed chunks in PostgreSQL, a row each. */
export class DatabaseChunks implements ChunkStore {
  /** They keep the database busy; more would wait for each other in there, which costs it a third more for each chunk, and would leave fewer of the pool's connections to others. */
  readonly writesAtOnce = 4;
  /** One is under way while the next one is sealed, or opened. */
  readonly ofOneAtOnce = 1;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  writer(content: string, ownerUuid: string): ChunkWriter {
    const em = this.em.fork();
    return {
      write: async (index: number, sealed: Buffer) => {
        if (index === 0) await prepared(em, BEGIN, [content, ownerUuid, this.clock.now()]);
        await writeBytes(em, GO_ON, [content, index], sealed);
      },
      end: (sealed: Buffer, { size, sha256, chunks }: Arrived) =>
        writeBytes(em, END, [content, ownerUuid, size, sha256, chunks, this.clock.now(), chunks - 1], sealed),
    };
  }

  reader(content: string): Promise<ReadChunk> {
    return Promise.resolve(async (index, memory) => {
      const sealed = await readBytes(this.em, READ, [content, String(index)], memory);
      if (sealed) return sealed;
      const [found] = await prepared<{ location: string | null }>(this.em, WHERE_IT_LIES, [content]);
      if (found?.location) throw locationMismatch(found.location);
      return null;
    });
  }
}
