import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import { Clock } from '../platform/clock';
import { seal, unseal } from '../platform/crypto/cipher';
import { affected, sql } from '../platform/database/sql';
import { inChunks } from './in-chunks';

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
  /** The first chunk, for recognising the type without reading back. */
  readonly head: Buffer;
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
    let head: Buffer = Buffer.alloc(0);
    let written: Promise<unknown> = Promise.resolve();

    for await (const { chunk, index, last } of inChunks(stream, CHUNK_BYTES)) {
      signal.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
      if (index === 0) head = chunk;
      const sealed = seal(key, chunk, context(content, index, last));
      await written; // one write under way while the next chunk is read
      if (last) {
        const sha256 = hash.digest('hex');
        await this.writeLast(em, content, ownerUuid, index, sealed, size, sha256);
        return { uuid: content, size, sha256, chunks: index + 1, head };
      }
      written = this.writeChunk(em, content, ownerUuid, index, sealed);
      written.catch(() => undefined); // thrown at the await above
    }
    throw new Error('inChunks always ends with a last chunk.');
  }

  private async writeChunk(em: EntityManager, content: string, owner: string, index: number, sealed: Buffer) {
    if (index === 0) {
      await sql(
        em,
        `insert into content (uuid, owner_uuid, size, sha256, chunks, created_at) values ($1, $2, 0, '', 0, $3)`,
        [content, owner, this.clock.now()],
      );
    }
    await sql(em, 'insert into content_chunk (content_uuid, index, bytes) values ($1, $2, $3)', [
      content,
      index,
      sealed,
    ]);
  }

  /** One statement: a small document costs one round trip. */
  private async writeLast(
    em: EntityManager,
    content: string,
    owner: string,
    index: number,
    sealed: Buffer,
    size: number,
    sha256: string,
  ) {
    await sql(
      em,
      `with stored as (
         insert into content (uuid, owner_uuid, size, sha256, chunks, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (uuid) do update set size = excluded.size, sha256 = excluded.sha256, chunks = excluded.chunks
         returning uuid)
       insert into content_chunk (content_uuid, index, bytes) select uuid, $7, $8 from stored`,
      [content, owner, size, sha256, index + 1, this.clock.now(), index, sealed],
    );
  }

  /** The plain bytes from `start` up to and including `end`, read as they are asked for. Errors when a chunk is missing or has been changed. */
  read(ref: ContentRef, key: Buffer, range?: { start: number; end: number }): Readable {
    return Readable.from(this.chunks(ref, key, range ?? { start: 0, end: ref.size - 1 }), { objectMode: false });
  }

  private async *chunks(ref: ContentRef, key: Buffer, { start, end }: { start: number; end: number }) {
    const em = this.em.fork();
    const lastIndex = ref.chunks - 1;
    const until = Math.min(lastIndex, Math.floor(end / CHUNK_BYTES));
    let next = this.chunk(em, ref.uuid, Math.floor(start / CHUNK_BYTES));
    for (let index = Math.floor(start / CHUNK_BYTES); index <= until; index++) {
      const sealed = await next;
      if (index < until) {
        next = this.chunk(em, ref.uuid, index + 1); // under way while this one is opened and sent
        next.catch(() => undefined); // thrown at its await
      }
      const plain = unseal(key, sealed, context(ref.uuid, index, index === lastIndex));
      const offset = index * CHUNK_BYTES;
      yield plain.subarray(Math.max(0, start - offset), Math.min(plain.length, end + 1 - offset));
    }
  }

  private async chunk(em: EntityManager, content: string, index: number): Promise<Buffer> {
    const [row] = await sql<{ bytes: Buffer }>(
      em,
      'select bytes from content_chunk where content_uuid = $1 and index = $2',
      [content, index],
    );
    if (!row) throw new Error(`Chunk ${index} of content ${content} is missing.`);
    return row.bytes;
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
