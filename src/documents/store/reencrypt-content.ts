import { Inject, Injectable } from '@nestjs/common';
import { type KeyRing, keyVersionOf, MAX_ENCRYPTION_OVERHEAD } from '../../platform/crypto/key-ring';
import { CHUNK_STORE, CHUNK_START_BYTES, type ChunkReplacer, type ChunkStore } from './chunk-store';
import { CHUNK_BYTES, chunkContext, type ContentRef } from './document-store';

const MEMORY_BYTES = CHUNK_BYTES + MAX_ENCRYPTION_OVERHEAD;

/** Encrypts stored content with the current version of its data key, chunk by chunk and in place, while it is read. */
@Injectable()
export class ReencryptContent {
  constructor(@Inject(CHUNK_STORE) private readonly store: ChunkStore) {}

  /**
   * Can be interrupted and repeated: chunks that are done are skipped. False when the content was deleted, or another process is
   * encrypting it.
   */
  async reencrypt({ uuid, chunks }: Omit<ContentRef, 'size'>, key: KeyRing, signal?: AbortSignal): Promise<boolean> {
    const replacer = await this.store.replacer(uuid);
    if (!replacer) return false;
    try {
      if (!(await this.replaceChunks(replacer, { uuid, chunks }, key, signal))) {
        await replacer.abandon();
        return false;
      }
      return await replacer.end(key.current.version);
    } catch (error) {
      await replacer.abandon();
      throw error;
    }
  }

  /** False when the content was deleted. */
  private async replaceChunks(
    replacer: ChunkReplacer,
    { uuid, chunks }: Omit<ContentRef, 'size'>,
    key: KeyRing,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const [read, written] = [Buffer.allocUnsafe(MEMORY_BYTES), Buffer.allocUnsafe(MEMORY_BYTES)];
    for (let index = 0; index < chunks; index++) {
      signal?.throwIfAborted();
      const ciphertext = await replacer.read(index, read);
      if (!ciphertext) return false;
      if (keyVersionOf(ciphertext) === key.current.version) {
        if (index >= replacer.wholeFrom) return true; // written as one: the others are done too
        continue;
      }
      const isLast = index === chunks - 1;
      const context = chunkContext(uuid, index, isLast);
      const start = Buffer.from(ciphertext.subarray(0, CHUNK_START_BYTES));
      const plain = key.decryptInPlace(ciphertext, context);
      await replacer.replace(index, start, key.encryptInto(written, [plain], context), isLast);
    }
    return true;
  }
}
