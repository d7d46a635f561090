/** The summary of completely received content. */
export interface ReceivedContent {
  /** Plaintext bytes. */
  readonly size: number;
  /** Of the plaintext, in lower-case hex. */
  readonly sha256: string;
  readonly chunks: number;
}

/** The connection that content belongs to. */
export interface ContentOwner {
  readonly uuid: string;
  readonly environmentUuid: string;
}

/** Writes one document. After a method has resolved, `ciphertext` is no longer read; after a rejection it may still be. */
export interface ChunkWriter {
  /** Writes a chunk that is not the last one. */
  write(index: number, ciphertext: Buffer): Promise<void>;
  /** Writes the last chunk after all others, which completes the content. */
  end(ciphertext: Buffer, received: ReceivedContent): Promise<void>;
  /** The document has failed: ends what is under way, so that nothing stays open. Never rejects. */
  abandon?(): Promise<void>;
}

/** Reads one chunk into `memory` and returns the filled part, or null when the chunk does not exist. */
export type ReadChunk = (index: number, memory: Buffer) => Promise<Buffer | null>;

/** Bytes at the beginning of a ciphertext that no other one has: its version and its nonce. */
export const CHUNK_START_BYTES = 20;

/** Replaces the chunks of one content, in their order. */
export interface ChunkReplacer {
  /** From this chunk on, all are replaced together or none. */
  readonly wholeFrom: number;
  readonly read: ReadChunk;
  /**
   * Replaces a chunk that begins with `start`; one that another process has replaced stays as it is. After it has resolved, `ciphertext`
   * is no longer read.
   */
  replace(index: number, start: Buffer, ciphertext: Buffer, isLast: boolean): Promise<void>;
  /** Records that no chunk needs a version before `version`. False when that is not so, or the content was deleted. */
  end(version: number): Promise<boolean>;
  /** Ends what is under way. Never rejects. */
  abandon(): Promise<void>;
}

/** Stores encrypted chunks (ADR 3), independently of their content. */
export interface ChunkStore {
  /** The maximum number of concurrent writes of all documents. */
  readonly maxConcurrentWrites: number;
  /** The maximum number of chunks of one document that are written or read ahead concurrently. */
  readonly maxPerDocument: number;
  /** A writer for new content of an owner, encrypted with `keyVersion` of its data key. */
  writer(content: string, owner: ContentOwner, keyVersion: number): ChunkWriter;
  reader(content: string): Promise<ReadChunk>;
  /** Null when the content does not exist, or another process replaces its chunks. */
  replacer(content: string): Promise<ChunkReplacer | null>;
}

/** The chunk store that the settings select. */
export const CHUNK_STORE = Symbol('ChunkStore');
