import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import { Clock } from '../platform/clock';
import { SEAL_OVERHEAD, sealInto, unsealInPlace } from '../platform/crypto/cipher';
import { readBytes } from '../platform/database/read-bytes';
import { affected, prepared, sql } from '../platform/database/sql';
import { writeBytes } from '../platform/database/write-bytes';
import { SpareMemory } from '../platform/spare-memory';
import { inChunks } from './in-chunks';
import { BEGIN, END, GO_ON, READ } from './store-statements';
import { WriteTurns } from './write-turns';

/** Plain bytes in one row. Larger rows cost memory, smaller ones round trips. */
export const CHUNK_BYTES = 256 * 1024;

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
 * The content store: encrypted chunks in PostgreSQL. Streams in, streams out; memory does not depend on a document's
 * size. Bytes are written before the record that owns them, so a crash leaves at most content that a sweep removes.
 */
@Injectable()
export class DocumentStore {
  private readonly memory = new SpareMemory(CHUNK_BYTES + SEAL_OVERHEAD);
  private readonly writes = new WriteTurns(this.memory);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

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
    const em = this.em.fork();
    const content = uuid();
    const hash = createHash('sha256');
    let size = 0;
    let start: readonly Buffer[] = [];
    let written: Promise<unknown> = Promise.resolve();

    for await (const { parts, index, last } of inChunks(stream, CHUNK_BYTES)) {
      signal.throwIfAborted();
      for (const part of parts) {
        hash.update(part);
        size += part.length;
      }
      if (index === 0) start = parts;
      await written; // one write under way while the next chunk is read
      const seal = (memory: Buffer) => sealInto(memory, key, parts, context(content, index, last));
      if (last) {
        const sha256 = hash.digest('hex');
        await this.writes.run((memory) =>
          writeBytes(em, END, [content, ownerUuid, size, sha256, index + 1, this.clock.now(), index], seal(memory)),
        );
        return { uuid: content, size, sha256, chunks: index + 1, start };
      }
      written = this.writes.run((memory) => this.writeChunk(em, content, ownerUuid, index, seal(memory)));
      written.catch(() => undefined); // thrown at the await above
    }
    throw new Error('inChunks always ends with a last chunk.');
  }

  private async writeChunk(em: EntityManager, content: string, owner: string, index: number, sealed: Buffer) {
    if (index === 0) await prepared(em, BEGIN, [content, owner, this.clock.now()]);
    await writeBytes(em, GO_ON, [content, index], sealed);
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
    const lastIndex = ref.chunks - 1;
    const until = Math.min(lastIndex, Math.floor(end / CHUNK_BYTES));
    let next = this.chunk(ref.uuid, Math.floor(start / CHUNK_BYTES));
    for (let index = Math.floor(start / CHUNK_BYTES); index <= until; index++) {
      const { memory, sealed } = await next;
      if (index < until) {
        next = this.chunk(ref.uuid, index + 1); // under way while this one is opened and sent
        next.catch(() => undefined); // thrown at its await
      }
      const plain = unsealInPlace(key, sealed, context(ref.uuid, index, index === lastIndex));
      const offset = index * CHUNK_BYTES;
      yield plain.subarray(Math.max(0, start - offset), Math.min(plain.length, end + 1 - offset));
      this.memory.keep(memory);
    }
  }

  private async chunk(content: string, index: number) {
    const memory = this.memory.take();
    const sealed = await readBytes(this.em, READ, [content, String(index)], memory);
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
