import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { type KeyRing, MAX_ENCRYPTION_OVERHEAD } from '../../platform/crypto/key-ring';
import { affected, sql } from '../../platform/database/sql';
import { BufferPool } from '../../platform/buffers/buffer-pool';
import { CHUNK_STORE, type ChunkStore, type ContentOwner, type ReadChunk } from './chunk-store';
import { chunkStream } from './chunk-stream';
import { WriteQueue } from './write-queue';

/** Plaintext bytes per chunk. Larger chunks cost memory, smaller ones round trips. */
export const CHUNK_BYTES = 256 * 1024;

/** The maximum number of chunks that are read ahead for all documents: 16 MiB. Above it, each document reads one chunk at a time. */
const READ_AHEAD = 64;

/** The result of storing content. */
export interface StoredContent {
  readonly uuid: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly chunks: number;
  /** The first chunk, in parts, for detecting the type without reading it again. */
  readonly start: readonly Buffer[];
}

/** A reference for reading content. */
export interface ContentRef {
  readonly uuid: string;
  readonly chunks: number;
  readonly size: number;
}

/**
 * The content store: encrypted chunks in PostgreSQL or in a bucket. It reads and writes streams; memory use does not depend on the
 * size of a document. Bytes are written before their record, so a crash leaves at most content that a sweep deletes.
 */
@Injectable()
export class DocumentStore {
  private readonly memory = new BufferPool(CHUNK_BYTES + MAX_ENCRYPTION_OVERHEAD);
  private readonly writes: WriteQueue;
  /** Chunks that are being read or wait to be decrypted. */
  private coming = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(CHUNK_STORE) private readonly kept: ChunkStore,
  ) {
    this.writes = new WriteQueue(this.memory, kept.maxConcurrentWrites);
  }

  /**
   * Reads the stream to its end and stores it, encrypted with the owner's data key. Rejects with the stream's error or the signal's
   * reason; chunks that were written until then are deleted by a later sweep.
   */
  async put(
    owner: ContentOwner,
    key: KeyRing,
    stream: AsyncIterable<Buffer | string>,
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const content = uuid();
    const writer = this.kept.writer(content, owner, key.current.version);
    const hash = createHash('sha256');
    let size = 0;
    let start: readonly Buffer[] = [];
    const underWay: Promise<void>[] = []; // while the next chunk is read
    let isOver = false;
    let isComplete = false;
    const run = (write: (memory: Buffer) => Promise<void>) =>
      this.writes.write((memory) => (isOver ? Promise.reject(new Error('Its document has failed.')) : write(memory)));

    try {
      for await (const { parts, index, last } of chunkStream(stream, CHUNK_BYTES)) {
        signal.throwIfAborted();
        for (const part of parts) {
          hash.update(part);
          size += part.length;
        }
        if (index === 0) start = parts;
        const encryptChunk = (memory: Buffer) => key.encryptInto(memory, parts, chunkContext(content, index, last));
        if (last) {
          await Promise.all(underWay);
          const arrived = { size, sha256: hash.digest('hex'), chunks: index + 1 };
          await run((memory) => writer.end(encryptChunk(memory), arrived));
          isComplete = true;
          return { uuid: content, ...arrived, start };
        }
        if (underWay.length >= this.kept.maxPerDocument) await underWay.shift();
        const written = run((memory) => writer.write(index, encryptChunk(memory)));
        written.catch(() => undefined); // thrown at its await
        underWay.push(written);
      }
    } finally {
      isOver = true; // queued writes are skipped
      if (!isComplete) void writer.abandon?.();
    }
    throw new Error('chunkStream always ends with a last chunk.');
  }

  /** The plaintext from `start` up to and including `end`, read on demand. Errors when a chunk is missing or was modified. */
  read(ref: ContentRef, key: KeyRing, range?: { start: number; end: number }): Readable {
    return Readable.from(this.copies(ref, key, range ?? { start: 0, end: ref.size - 1 }), { objectMode: false });
  }

  /**
   * Like {@link read}, without a stream's buffer: each part is valid only until the next one is requested, because the memory is
   * reused.
   */
  parts(ref: ContentRef, key: KeyRing): AsyncGenerator<Buffer> {
    return this.chunks(ref, key, { start: 0, end: ref.size - 1 });
  }

  private async *copies(ref: ContentRef, key: KeyRing, range: { start: number; end: number }) {
    for await (const part of this.chunks(ref, key, range)) yield Buffer.from(part);
  }

  private async *chunks(ref: ContentRef, key: KeyRing, { start, end }: { start: number; end: number }) {
    let ring = key;
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
        const { memory, ciphertext } = await coming.shift()!.finally(() => this.coming--);
        ask();
        ring = await ring.including(ciphertext);
        const plain = ring.decryptInPlace(ciphertext, chunkContext(ref.uuid, index, index === lastIndex));
        const offset = index * CHUNK_BYTES;
        yield plain.subarray(Math.max(0, start - offset), Math.min(plain.length, end + 1 - offset));
        this.memory.release(memory);
      }
    } finally {
      for (const left of coming) left.catch(() => undefined).finally(() => this.coming--);
    }
  }

  /** Whether another chunk may be read ahead for a document with `ofOne` pending chunks. */
  private mayReadAhead(ofOne: number): boolean {
    return ofOne < this.kept.maxPerDocument && this.coming < READ_AHEAD;
  }

  private async chunk(read: ReadChunk, content: string, index: number) {
    const memory = this.memory.acquire();
    const ciphertext = await read(index, memory);
    if (!ciphertext) throw new Error(`Chunk ${index} of content ${content} is missing.`);
    return { memory, ciphertext };
  }

  /** Marks content as owned by a record, in that record's transaction. False when it no longer exists. */
  async attach(em: EntityManager, environmentUuid: string, contents: readonly string[]): Promise<boolean> {
    const rows = await affected(
      em,
      'update content set attached_at = $3 where uuid = any($1::uuid[]) and environment_uuid = $2',
      [contents, environmentUuid, this.clock.now()],
    );
    return rows === contents.length;
  }

  /** Deletes content immediately. */
  async remove(em: EntityManager, contents: readonly string[]): Promise<void> {
    await sql(em, 'delete from content where uuid = any($1::uuid[])', [contents]);
  }

  /** Deletes up to `limit` contents without a record that are older than `before`; returns their number. */
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

/** Binds a chunk to its position, so that swapped, missing or truncated chunks are detected. */
export const chunkContext = (content: string, index: number, last: boolean) =>
  `content:${content}:${index}:${last ? 'last' : 'more'}`;
