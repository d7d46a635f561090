import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../clock/clock';
import type { NamedKey } from '../config/setting-parsers';
import { Settings } from '../config/settings';
import { prepared } from '../database/sql';
import { encrypt, decrypt } from './cipher';
import { DataKey } from './data-key.entity';
import { Encrypted } from './encrypted';

type StoredKey = Pick<DataKey, 'masterKeyId' | 'wrappedKey'>;

const READ = 'select master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = $1';
const READ_ALL = `
  select owner_uuid as "ownerUuid", master_key_id as "masterKeyId", wrapped_key as "wrappedKey" from data_key where owner_uuid = any($1::uuid[])`;

/**
 * Envelope encryption: every connection and environment has its own data key, which is wrapped by a master key
 * (`ENCRYPTION_KEYS`). Deleting the data key makes everything that it encrypts unreadable, in backups of other stores too
 * (decisions 4, deletion).
 */
@Injectable()
export class KeyManager {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Creates the data key of a connection or, by default, of the environment itself, in the caller's transaction. */
  createKey(em: EntityManager, environmentUuid: string, ownerUuid = environmentUuid): Buffer {
    const master = this.settings.encryptionKeys[0]!;
    const key = randomBytes(32);
    em.persist(
      em.create(DataKey, {
        ownerUuid,
        environmentUuid,
        masterKeyId: master.id,
        wrappedKey: encrypt(master.bytes, key, dataKeyContext(ownerUuid)),
        createdAt: this.clock.now(),
      }),
    );
    return key;
  }

  /** A data key of another installation, wrapped by the first master key. */
  wrap(key: Buffer, ownerUuid: string): StoredKey {
    const master = this.settings.encryptionKeys[0]!;
    return { masterKeyId: master.id, wrappedKey: encrypt(master.bytes, key, dataKeyContext(ownerUuid)) };
  }

  /**
   * The owner's data key. Keep it in memory only as long as the work needs it.
   * @throws when the owner has none, or its master key is not among `ENCRYPTION_KEYS`
   */
  async key(em: EntityManager, ownerUuid: string): Promise<Buffer> {
    return this.unwrap(await this.storedKey(em, ownerUuid), ownerUuid);
  }

  /** The data keys of several owners, without missing ones and ones that cannot be unwrapped: {@link key} throws the reason. */
  async keys(em: EntityManager, ownerUuids: readonly string[]): Promise<Map<string, Buffer>> {
    const rows = await prepared<StoredKey & { ownerUuid: string }>(em, READ_ALL, [ownerUuids]);
    const keys = new Map<string, Buffer>();
    for (const row of rows) {
      try {
        keys.set(row.ownerUuid, this.unwrap(row, row.ownerUuid));
      } catch {
        // A broken key of one owner must not affect the others.
      }
    }
    return keys;
  }

  /** In memory of its own: as a part of Node's shared pool, a key that is held would keep 64 KiB alive. */
  private unwrap({ masterKeyId, wrappedKey }: StoredKey, ownerUuid: string): Buffer {
    const decrypted = decrypt(this.master(masterKeyId).bytes, Buffer.from(wrappedKey), dataKeyContext(ownerUuid));
    const key = Buffer.allocUnsafeSlow(decrypted.length);
    decrypted.copy(key);
    return key;
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
    const current = this.settings.encryptionKeys[0]!;
    const lockMode = em.isInTransaction() ? LockMode.PESSIMISTIC_WRITE : undefined;
    const countStale = await em.find(DataKey, { masterKeyId: { $in: this.otherMasters } }, { limit, lockMode });
    for (const row of countStale) {
      const context = dataKeyContext(row.ownerUuid);
      row.wrappedKey = encrypt(
        current.bytes,
        decrypt(this.master(row.masterKeyId).bytes, Buffer.from(row.wrappedKey), context),
        context,
      );
      row.masterKeyId = current.id;
    }
    await em.flush();
    return countStale.length;
  }

  /** The number of data keys that `rewrap` has not rewrapped yet. */
  countStale(em: EntityManager): Promise<number> {
    return em.count(DataKey, { masterKeyId: { $in: this.otherMasters } });
  }

  private get otherMasters(): string[] {
    const [current, ...others] = this.settings.encryptionKeys.map(({ id }) => id);
    return others.filter((id) => id !== current);
  }

  private master(id: string): NamedKey {
    const master = this.settings.encryptionKeys.find((key) => key.id === id);
    if (!master) throw missingMasterKey(id);
    return master;
  }
}

/** The error for a master key that was removed from the settings while data still need it. */
export const missingMasterKey = (id: string): Error =>
  new Error(`ENCRYPTION_KEYS has no key "${id}", which data in this database needs.`);

/** The encryption context of a wrapped data key. */
export const dataKeyContext = (ownerUuid: string) => `data-key:${ownerUuid}`;
