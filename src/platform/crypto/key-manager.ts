import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../clock/clock';
import { isUnavailable } from '../availability/storage-unavailable';
import { affected, prepared, sql } from '../database/sql';
import { encrypt, decrypt } from './cipher';
import { DataKey } from './data-key.entity';
import { Encrypted } from './encrypted';
import { MasterKeys } from './master-keys';

type StoredKey = Pick<DataKey, 'masterKeyId' | 'wrappedKey'>;

/** A data key that is not stored yet. */
export interface NewDataKey {
  readonly ownerUuid: string;
  readonly key: Buffer;
  readonly wrapped: StoredKey;
}

const READ = 'select master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = $1';
const READ_ALL = `
  select owner_uuid as "ownerUuid", master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = any($1::uuid[])`;
const READ_STALE = `
  select owner_uuid as "ownerUuid", master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key
  where master_key_id = any($1::text[]) limit $2`;
const REPLACE = `
  update data_key set master_key_id = given.master_key_id, wrapped_key = given.wrapped_key
  from unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[]) as given (owner_uuid, former, master_key_id, wrapped_key)
  where data_key.owner_uuid = given.owner_uuid and data_key.wrapped_key = given.former`;

/**
 * Envelope encryption: every connection and environment has its own data key, which is wrapped by a master key
 * (`ENCRYPTION_KEYS`). Deleting the data key makes everything that it encrypts unreadable, in backups of other stores too
 * (decisions 4, deletion).
 *
 * Data keys are generated and read before the transaction that needs them: a slow KMS must not hold a database connection and locks.
 */
@Injectable()
export class KeyManager {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /** The data key of a new connection or environment, for {@link store}. @throws KmsUnavailable */
  async generate(ownerUuid: string): Promise<NewDataKey> {
    const key = randomBytes(32);
    return { ownerUuid, key, wrapped: await this.wrap(key, ownerUuid) };
  }

  /** Stores a data key in the caller's transaction. */
  store(em: EntityManager, environmentUuid: string, { ownerUuid, wrapped }: NewDataKey): void {
    em.persist(em.create(DataKey, { ownerUuid, environmentUuid, ...wrapped, createdAt: this.clock.now() }));
  }

  /** A data key, wrapped by the first master key. @throws KmsUnavailable */
  wrap(key: Buffer, ownerUuid: string): Promise<StoredKey> {
    return this.masterKeys.wrap(key, dataKeyContext(ownerUuid));
  }

  /**
   * The owner's data key. Keep it in memory only as long as the work needs it.
   * @throws when the owner has none, its master key is not among `ENCRYPTION_KEYS`, or `em` is in a transaction; KmsUnavailable
   */
  async key(em: EntityManager, ownerUuid: string): Promise<Buffer> {
    assertNoTransaction(em);
    const [stored] = await prepared<StoredKey>(em, READ, [ownerUuid]);
    if (!stored) throw new Error(`There is no data key of ${ownerUuid}.`);
    return this.unwrap(stored, ownerUuid);
  }

  /**
   * The data keys of several owners, without missing ones and ones that cannot be unwrapped: {@link key} throws the reason.
   * @throws KmsUnavailable
   */
  async keys(em: EntityManager, ownerUuids: readonly string[]): Promise<Map<string, Buffer>> {
    assertNoTransaction(em);
    const rows = await prepared<StoredKey & { ownerUuid: string }>(em, READ_ALL, [ownerUuids]);
    const keys = new Map<string, Buffer>();
    await Promise.all(
      rows.map(async (row) => {
        try {
          keys.set(row.ownerUuid, await this.unwrap(row, row.ownerUuid));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          // A broken key of one owner must not affect the others.
        }
      }),
    );
    return keys;
  }

  private unwrap(stored: StoredKey, ownerUuid: string): Promise<Buffer> {
    return this.masterKeys.unwrap(stored, dataKeyContext(ownerUuid));
  }

  /** Encrypts a JSON value. `purpose` names the column, so that an encrypted value cannot be moved to another column. */
  encrypt(key: Buffer, purpose: string, value: unknown): Encrypted {
    return new Encrypted(encrypt(key, Buffer.from(JSON.stringify(value)), purpose));
  }

  /** Decrypts a value of `encrypt`. @throws when key or purpose differ */
  decrypt<T>(key: Buffer, purpose: string, encrypted: Encrypted): T {
    return JSON.parse(decrypt(key, encrypted.bytes, purpose).toString('utf8')) as T;
  }

  /**
   * Rewraps up to `limit` data keys with the first master key and returns their number. Those that were deleted or rewrapped meanwhile
   * stay as they are; those whose master key is not among `ENCRYPTION_KEYS` are skipped.
   */
  async rewrap(em: EntityManager, limit: number): Promise<number> {
    const stale = await sql<StoredKey & { ownerUuid: string }>(em, READ_STALE, [this.otherMasters, limit]);
    const rewrapped = await Promise.all(
      stale.map(async (row) => this.wrap(await this.unwrap(row, row.ownerUuid), row.ownerUuid)),
    );
    return affected(em, REPLACE, [
      stale.map(({ ownerUuid }) => ownerUuid),
      stale.map(({ wrappedKey }) => wrappedKey),
      rewrapped.map(({ masterKeyId }) => masterKeyId),
      rewrapped.map(({ wrappedKey }) => wrappedKey),
    ]);
  }

  /** The number of data keys that `rewrap` has not rewrapped yet. */
  countStale(em: EntityManager): Promise<number> {
    return em.count(DataKey, { masterKeyId: { $in: this.otherMasters } });
  }

  private get otherMasters(): string[] {
    const [current, ...others] = this.masterKeys.ids;
    return others.filter((id) => id !== current);
  }
}

function assertNoTransaction(em: EntityManager): void {
  if (em.isInTransaction()) throw new Error('Data keys are read before the transaction.');
}

/** The encryption context of a wrapped data key. */
export const dataKeyContext = (ownerUuid: string) => `data-key:${ownerUuid}`;
