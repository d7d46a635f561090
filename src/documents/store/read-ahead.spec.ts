import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Clock } from '../../platform/clock/clock';
import { KeyRing } from '../../platform/crypto/key-ring';
import type { ChunkStore } from './chunk-store';
import { CHUNK_BYTES, DocumentStore } from './document-store';

describe('reading ahead', () => {
  /** A chunk store whose reads all stay pending until they are released. */
  function waitingPlace() {
    const release: ((chunk: null) => void)[] = [];
    const place: ChunkStore = {
      maxConcurrentWrites: 1,
      maxPerDocument: 4,
      writer: () => {
        throw new Error('Nothing is written here.');
      },
      replacer: () => Promise.resolve(null),
      reader: () => Promise.resolve(() => new Promise((go) => void release.push(go))),
    };
    return { release, store: new DocumentStore({} as EntityManager, new Clock(), place) };
  }

  const begin = (store: DocumentStore, documents: number) =>
    Array.from({ length: documents }, () =>
      store
        .parts(
          { uuid: randomUUID(), chunks: 8, size: 8 * CHUNK_BYTES },
          new KeyRing({ version: 1, key: Buffer.alloc(32) }),
        )
        .next(),
    );

  it('requests four chunks of one document, and one chunk each of many documents', async () => {
    const { release, store } = waitingPlace();
    const one = begin(store, 1);
    await turn();
    expect(release).toHaveLength(4);
    const many = begin(store, 99);
    await turn();
    expect(release).toHaveLength(64 + 84); // sixteen documents with four chunks, the others with one
    for (const go of release.splice(0)) go(null);
    const ends = await Promise.allSettled([...one, ...many]);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);

    // Failed reads have released their capacity as well.
    const again = begin(store, 16);
    await turn();
    expect(release).toHaveLength(64);
    for (const go of release) go(null);
    await Promise.allSettled(again);
  });
});
