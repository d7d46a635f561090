import { Inject, Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { NIL } from 'uuid';
import { CHUNK_STORE, type ChunkStore } from '../../documents/store/chunk-store';
import { CHUNK_BYTES } from '../../documents/store/document-store';
import { MAX_ENCRYPTION_OVERHEAD } from '../../platform/crypto/key-ring';
import { frame, jsonFrame } from '../file/frames';
import type { ContentFrame } from '../file/header';
import { TransferError } from '../transfer';

const BATCH = 200;
/** Content without a record belongs to nothing; it is removed where it is. */
const CONTENTS = `
  select uuid, owner_uuid, size, sha256, chunks, key_version, created_at::text, attached_at::text from content
  where environment_uuid = $1 and attached_at is not null and uuid > $2 order by uuid limit ${BATCH}`;

/** The encrypted chunks of an environment's documents, as they are: they are encrypted with data keys, which move as well. */
@Injectable()
export class ReadContents {
  constructor(@Inject(CHUNK_STORE) private readonly chunks: ChunkStore) {}

  async *read(client: Client, environmentUuid: string, progress: () => void): AsyncGenerator<Buffer, void> {
    for (let after: string = NIL; ;) {
      const { rows } = await client.query<ContentFrame>(CONTENTS, [environmentUuid, after]);
      for (const content of rows) {
        yield jsonFrame('C', content);
        yield* this.chunksOf(content);
        progress();
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.uuid;
    }
  }

  private async *chunksOf({ uuid, chunks }: ContentFrame): AsyncGenerator<Buffer, void> {
    const read = await this.chunks.reader(uuid);
    const memory = Buffer.alloc(CHUNK_BYTES + MAX_ENCRYPTION_OVERHEAD);
    for (let index = 0; index < chunks; index++) {
      const ciphertext = await read(index, memory);
      if (!ciphertext) throw new TransferError(`Chunk ${index} of the content ${uuid} is missing.`);
      yield frame('B', ciphertext); // a copy
    }
  }
}
