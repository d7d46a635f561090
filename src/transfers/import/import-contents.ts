import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CHUNK_STORE, type ChunkStore, type ChunkWriter } from '../../documents/store/chunk-store';
import { jsonb, sql } from '../../platform/database/sql';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { ContentFrame, Header, KeyFrame } from '../file/header';
import { codeOf, TransferError } from '../transfer';

/** A version of a data key in the file. */
interface GivenKey {
  readonly owner_uuid: string;
  readonly version: number;
  readonly key: string;
  readonly created_at: string;
  readonly replaced_at?: string | null;
}

/** A content whose chunks are arriving; null for one that an earlier import has stored. */
export interface ArrivingContent {
  readonly environmentUuid: string;
  readonly record: ContentFrame;
  readonly writer: ChunkWriter | null;
  received: number;
}

/**
 * Stores the data keys and documents of an import, each with a commit of its own: they are found by nobody before their records are
 * there. A repetition skips what is complete.
 */
@Injectable()
export class ImportContents {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    @Inject(CHUNK_STORE) private readonly chunks: ChunkStore,
  ) {}

  /** @throws TransferError when a key would be that of another environment */
  async storeKeys(environmentUuid: string, keys: readonly KeyFrame[]): Promise<void> {
    const owners = keys.map(({ owner_uuid }) => owner_uuid);
    const current = await this.wrapAll(keys);
    const others = await this.wrapAll(
      keys.flatMap(({ owner_uuid, others }) => others.map((other) => ({ ...other, owner_uuid }))),
    );
    await this.em.fork().transactional(async (em) => {
      await sql(
        em,
        `insert into data_key (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at)
         select owner_uuid, $1, version, master_key_id, wrapped_key, created_at
         from jsonb_to_recordset($2::jsonb) as given
           (owner_uuid uuid, version integer, master_key_id text, wrapped_key bytea, created_at timestamptz)
         on conflict do nothing`,
        [environmentUuid, jsonb(current)],
      );
      const foreign = await sql(
        em,
        'select from data_key where owner_uuid = any($1::uuid[]) and environment_uuid <> $2 limit 1',
        [owners, environmentUuid],
      );
      if (foreign.length > 0) {
        throw new TransferError('The file contains a key of something that belongs to another environment here.');
      }
      await sql(
        em,
        `insert into data_key_version (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at, replaced_at)
         select owner_uuid, $1, version, master_key_id, wrapped_key, created_at, replaced_at
         from jsonb_to_recordset($2::jsonb) as given
           (owner_uuid uuid, version integer, master_key_id text, wrapped_key bytea, created_at timestamptz, replaced_at timestamptz)
         on conflict do nothing`,
        [environmentUuid, jsonb(others)],
      );
    });
  }

  /** Each key as a row, wrapped by the master key of this installation. */
  private wrapAll(keys: readonly GivenKey[]): Promise<object[]> {
    return Promise.all(
      keys.map(async ({ owner_uuid, version, key, created_at, replaced_at }) => {
        const { masterKeyId, wrappedKey } = await this.keyManager.wrap(
          { version, key: Buffer.from(key, 'base64') },
          owner_uuid,
        );
        const wrapped = `\\x${Buffer.from(wrappedKey).toString('hex')}`;
        return { owner_uuid, version, master_key_id: masterKeyId, wrapped_key: wrapped, created_at, replaced_at };
      }),
    );
  }

  /** Once everything is here: it follows from the data key of the environment. */
  async receiptOf({ environment_uuid, transfer_uuid }: Header): Promise<string> {
    const { current } = await this.keyManager.key(this.em.fork(), environment_uuid);
    return codeOf(current.key, transfer_uuid, 'RECEIPT');
  }

  async begin(environmentUuid: string, record: ContentFrame): Promise<ArrivingContent> {
    const em = this.em.fork();
    const [stored] = await sql<{ chunks: number; location: string | null }>(
      em,
      'select chunks, location from content where uuid = $1 and environment_uuid = $2',
      [record.uuid, environmentUuid],
    );
    if (stored && stored.chunks > 0) {
      await this.attach(environmentUuid, record);
      return { environmentUuid, record, writer: null, received: 0 };
    }
    // Of an import that was interrupted: its rows; objects in a bucket are overwritten.
    if (stored && stored.location === null) {
      await sql(em, 'delete from content where uuid = $1 and environment_uuid = $2', [record.uuid, environmentUuid]);
    }
    const owner = { uuid: record.owner_uuid, environmentUuid };
    return { environmentUuid, record, writer: this.chunks.writer(record.uuid, owner, record.key_version), received: 0 };
  }

  /** Stores the next chunk, and after the last one the content is complete. Returns whether it is. */
  async add(content: ArrivingContent, ciphertext: Buffer): Promise<boolean> {
    const { environmentUuid, record, writer } = content;
    const index = content.received++;
    const isLast = content.received === record.chunks;
    if (content.received > record.chunks) {
      throw new TransferError('The file contains more of a document than its record says.');
    }
    if (!writer) return isLast;
    if (!isLast) {
      await writer.write(index, ciphertext);
      return false;
    }
    await writer.end(ciphertext, { size: Number(record.size), sha256: record.sha256, chunks: record.chunks });
    await this.attach(environmentUuid, record);
    return true;
  }

  /** From now on the sweep of content without a record leaves it. */
  private async attach(environmentUuid: string, { uuid, created_at, attached_at }: ContentFrame): Promise<void> {
    await sql(
      this.em.fork(),
      'update content set created_at = $3, attached_at = $4 where uuid = $1 and environment_uuid = $2',
      [uuid, environmentUuid, created_at, attached_at],
    );
  }
}
