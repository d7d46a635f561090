import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../clock/clock';
import { isUnavailable } from '../availability/storage-unavailable';
import { prepared } from '../database/sql';
import { encrypt, decrypt } from './cipher';
import { DataKey } from './data-key.entity';
import { Encrypted } from './encrypted';
import { MasterKeys } from './master-keys';

type StoredKey = Pick<DataKey, 'masterKeyId' | 'wrappedKey'>;

const READ = 'select master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = $1';
const READ_ALL = `
  select owner_uuid as "ownerUuid", master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = any($1::uuid[])`;

/** Data keys that are rewrapped at the same time; each is a request to a KMS, if the master key is there. */
const REWRAPPED_TOGETHER = 20;

/**
 * Envelope encryption: every connection and environment has its own data key, which is wrapped by a master key
 * (`ENCRYPTION_KEYS`). Deleting the data key makes everything that it encrypts unreadable, in backups of other stores too
 * (decisions 4, deletion).
 */
@Injectable()
export class KeyManager {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the data key of a connection or, by default, of the environment itself, in the caller's transaction.
   * @throws KmsUnavailable
   */
  async createKey(em: EntityManager, environmentUuid: string, ownerUuid = environmentUuid): Promise<Buffer> {
    const key = randomBytes(32);
    const wrapped = await this.wrap(key, ownerUuid);
    em.persist(em.create(DataKey, { ownerUuid, environmentUuid, ...wrapped, createdAt: this.clock.now() }));
    return key;
  }

  /** A data key, wrapped by the first master key. @throws KmsUnavailable */
  wrap(key: Buffer, ownerUuid: string): Promise<StoredKey> {
    return this.masterKeys.wrap(key, dataKeyContext(ownerUuid));
  }

  /**
   * The owner's data key. Keep it in memory only as long as the work needs it.
   * @throws when the owner has none, or its master key is not among `ENCRYPTION_KEYS`; KmsUnavailable
   */
  async key(em: EntityManager, ownerUuid: string): Promise<Buffer> {
    return this.unwrap(await this.storedKey(em, ownerUuid), ownerUuid);
  }

  /**
   * The data keys of several owners, without missing ones and ones that cannot be unwrapped: {@link key} throws the reason.
   * @throws KmsUnavailable
   */
  async keys(em: EntityManager, ownerUuids: readonly string[]): Promise<Map<string, Buffer>> {
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

  /** In a transaction the key may have been created but not flushed, so the ORM is asked; otherwise a prepared statement is faster. */
  private async storedKey(em: EntityManager, ownerUuid: string): Promise<StoredKey> {
    const [row] = em.isInTransaction() ? [] : await prepared<StoredKey>(em, READ, [ownerUuid]);
    return row ?? em.findOneOrFail(DataKey, ownerUuid);
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
   * Rewraps up to `limit` data keys with the first master key and returns their number. Runs in the caller's transaction, which
   * locks the rows; data keys whose master key is not among `ENCRYPTION_KEYS` are skipped.
   */
  async rewrap(em: EntityManager, limit: number): Promise<number> {
    const lockMode = em.isInTransaction() ? LockMode.PESSIMISTIC_WRITE : undefined;
    const stale = await em.find(DataKey, { masterKeyId: { $in: this.otherMasters } }, { limit, lockMode });
    for (let at = 0; at < stale.length; at += REWRAPPED_TOGETHER) {
      await Promise.all(
        stale.slice(at, at + REWRAPPED_TOGETHER).map(async (row) => {
          const key = await this.unwrap(row, row.ownerUuid);
          Object.assign(row, await this.wrap(key, row.ownerUuid));
        }),
      );
    }
    await em.flush();
    return stale.length;
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

/** The encryption context of a wrapped data key. */
export const dataKeyContext = (ownerUuid: string) => `data-key:${ownerUuid}`;
