/** Of content that has arrived whole. */
export interface Arrived {
  /** Plain bytes. */
  readonly size: number;
  /** Of the plain bytes, lower-case hex. */
  readonly sha256: string;
  readonly chunks: number;
}

/** One document on its way in. Once a method has resolved, nobody reads from `sealed` any more; when it rejects, somebody still may. */
export interface ChunkWriter {
  /** A chunk that others follow. */
  write(index: number, sealed: Buffer): Promise<void>;
  /** The last one, once all others are written. From then on the content is whole. */
  end(sealed: Buffer, arrived: Arrived): Promise<void>;
}

/** Reads one chunk into `memory` and answers the part of it that was filled, or null where there is none. */
export type ReadChunk = (index: number, memory: Buffer) => Promise<Buffer | null>;

/** Where sealed chunks lie (ADR 3). What they say is none of its business. */
export interface ChunkStore {
  /** So many chunks are written at a time, of all documents together … */
  readonly writesAtOnce: number;
  /** … and of one document, written or read ahead. */
  readonly ofOneAtOnce: number;
  /** Of new content, which belongs to whom. */
  writer(content: string, ownerUuid: string): ChunkWriter;
  reader(content: string): Promise<ReadChunk>;
}

/** The one that the settings name. */
export const CHUNK_STORE = Symbol('ChunkStore');
