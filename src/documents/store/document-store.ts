import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { ENCRYPTION_OVERHEAD, encryptInto, decryptInPlace } from '../../platform/crypto/cipher';
import { affected, sql } from '../../platform/database/sql';
import { BufferPool } from '../../platform/buffers/buffer-pool';
import { CHUNK_STORE, type ChunkStore, type ReadChunk } from './chunk-store';
import { chunkStream } from './chunk-stream';
import { WriteQueue } from './write-queue';

/** Plain bytes in one row. Larger rows cost memory, smaller ones round trips. */
export const CHUNK_BYTES = 256 * 1024;

/** So many chunks are read ahead at a time, of all documents together: 16 MiB. Without that, each has one on its way. */
const READ_AHEAD = 64;

/** What arrived in the store. */
export interface StoredContent {
  readonly uuid: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly chunks: number;
  /** The first chunk, in parts, for recognising the type without reading back. */
  readonly start: readonly Buffer[];
}

/** What is needed to read content again. */
export interface ContentRef {
  readonly uuid: string;
  readonly chunks: number;
  readonly size: number;
}

/**
 * The content store: encrypted chunks, in PostgreSQL or in a bucket. Streams in, streams out; memory does not depend on a
 * document's size. Bytes are written before the record that owns them, so a crash leaves at most content that a sweep removes.
 */
@Injectable()
export class DocumentStore {
  private readonly memory = new BufferPool(CHUNK_BYTES + ENCRYPTION_OVERHEAD);
  private readonly writes: WriteQueue;
  /** Chunks that are being read, or have been and wait to be opened. */
  private coming = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(CHUNK_STORE) private readonly kept: ChunkStore,
  ) {
    this.writes = new WriteQueue(this.memory, kept.writesAtOnce);
  }

  /**
   * Reads the stream to its end and keeps it, sealed with the owner's data key. Rejects with the stream's error, or the
   * signal's reason; what was written until then is swept later.
   */
  async put(
    ownerUuid: string,
    key: Buffer,
    stream: AsyncIterable<Buffer | string>,
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const content = uuid();
    const writer = this.kept.writer(content, ownerUuid);
    const hash = createHash('sha256');
    let size = 0;
    let start: readonly Buffer[] = [];
    const underWay: Promise<void>[] = []; // while the next chunk is read
    let isOver = false;
    const run = (write: (memory: Buffer) => Promise<void>) =>
      this.writes.run((memory) => (isOver ? Promise.reject(new Error('Its document has failed.')) : write(memory)));

    try {
      for await (const { parts, index, last } of chunkStream(stream, CHUNK_BYTES)) {
        signal.throwIfAborted();
        for (const part of parts) {
          hash.update(part);
          size += part.length;
        }
        if (index === 0) start = parts;
        const seal = (memory: Buffer) => encryptInto(memory, key, parts, context(content, index, last));
        if (last) {
          await Promise.all(underWay);
          const arrived = { size, sha256: hash.digest('hex'), chunks: index + 1 };
          await run((memory) => writer.end(seal(memory), arrived));
          return { uuid: content, ...arrived, start };
        }
        if (underWay.length >= this.kept.ofOneAtOnce) await underWay.shift();
        const written = run((memory) => writer.write(index, seal(memory)));
        written.catch(() => undefined); // thrown at its await
        underWay.push(written);
      }
    } finally {
      isOver = true; // what still waits for its turn is written for nobody
    }
    throw new Error('chunkStream always ends with a last chunk.');
  }

  /** The plain bytes from `start` up to and including `end`, read as they are asked for. Errors when a chunk is missing or has been changed. */
  read(ref: ContentRef, key: Buffer, range?: { start: number; end: number }): Readable {
    return Readable.from(this.copies(ref, key, range ?? { start: 0, end: ref.size - 1 }), { objectMode: false });
  }

  /**
   * As {@link read}, without a stream's buffer, for who is done with one part before asking for the next: they lie in memory
   * that is used again.
   */
  parts(ref: ContentRef, key: Buffer): AsyncGenerator<Buffer> {
    return this.chunks(ref, key, { start: 0, end: ref.size - 1 });
  }

  private async *copies(ref: ContentRef, key: Buffer, range: { start: number; end: number }) {
    for await (const part of this.chunks(ref, key, range)) yield Buffer.from(part);
  }

  private async *chunks(ref: ContentRef, key: Buffer, { start, end }: { start: number; end: number }) {
    const read = await this.kept.reader(ref.uuid);
    const lastIndex = ref.chunks - 1;
    const until = Math.min(lastIndex, Math.floor(end / CHUNK_BYTES));
    let index = Math.floor(start / CHUNK_BYTES);
    let asked = index;
    const coming: ReturnType<DocumentStore['chunk']>[] = []; // while others are opened and sent
    const ask = () => {
      while (asked <= until && (coming.length === 0 || this.mayReadAhead(coming.length))) {
        const next = this.chunk(read, ref.uuid, asked++);
        next.catch(() => undefined); // thrown at its await
        coming.push(next);
        this.coming++;
      }
    };
    try {
      for (ask(); index <= until; index++) {
        const { memory, sealed } = await coming.shift()!.finally(() => this.coming--);
        ask();
        const plain = decryptInPlace(key, sealed, context(ref.uuid, index, index === lastIndex));
        const offset = index * CHUNK_BYTES;
        yield plain.subarray(Math.max(0, start - offset), Math.min(plain.length, end + 1 - offset));
        this.memory.release(memory);
      }
    } finally {
      for (const left of coming) left.catch(() => undefined).finally(() => this.coming--);
    }
  }

  /** Whether another chunk of a document may come that has so many on their way. */
  private mayReadAhead(ofOne: number): boolean {
    return ofOne < this.kept.ofOneAtOnce && this.coming < READ_AHEAD;
  }

  private async chunk(read: ReadChunk, content: string, index: number) {
    const memory = this.memory.acquire();
    const sealed = await read(index, memory);
    if (!sealed) throw new Error(`Chunk ${index} of content ${content} is missing.`);
    return { memory, sealed };
  }

  /** Marks content as owned by a record, in that record's transaction. False when it is gone. */
  async attach(em: EntityManager, contents: readonly string[]): Promise<boolean> {
    const now = this.clock.now();
    const rows = await affected(em, 'update content set attached_at = $2 where uuid = any($1::uuid[])', [
      contents,
      now,
    ]);
    return rows === contents.length;
  }

  /** Removes content, at once. */
  async remove(em: EntityManager, contents: readonly string[]): Promise<void> {
    await sql(em, 'delete from content where uuid = any($1::uuid[])', [contents]);
  }

  /** Removes up to `limit` contents that no record came to own and that are older than `before`; returns how many. */
  async sweep(before: Date, limit: number): Promise<number> {
    return affected(
      this.em.fork(),
      `delete from content where uuid in (
         select uuid from content where attached_at is null and created_at < $1 order by created_at limit $2
         for update skip locked)`,
      [before, limit],
    );
  }
}

/** Chunks open only in their place: none can be swapped, dropped or cut off unnoticed. */
const context = (content: string, index: number, last: boolean) =>
  `content:${content}:${index}:${last ? 'last' : 'more'}`;
