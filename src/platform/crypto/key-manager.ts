import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../clock/clock';
import { type NamedKey, Settings } from '../config/settings';
import { prepared } from '../database/sql';
import { encrypt, decrypt } from './cipher';
import { DataKey } from './data-key.entity';
import { Encrypted } from './encrypted';

type StoredKey = Pick<DataKey, 'masterKeyId' | 'wrapped'>;

const READ = 'select master_key_id as "masterKeyId", wrapped from data_key where owner_uuid = $1';
const READ_ALL = `
  select owner_uuid as "ownerUuid", master_key_id as "masterKeyId", wrapped from data_key where owner_uuid = any($1::uuid[])`;

/**
 * Envelope encryption: every connection and environment has a data key of its own, which a master key
 * (`ENCRYPTION_KEYS`) wraps. Destroying the data key makes everything sealed with it unreadable, in backups of other
 * stores too (decisions 4, deletion).
 */
@Injectable()
export class KeyManager {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Makes the owner's data key in the caller's transaction. */
  createKey(em: EntityManager, ownerUuid: string): Buffer {
    const master = this.settings.encryptionKeys[0]!;
    const key = randomBytes(32);
    em.persist(
      em.create(DataKey, {
        ownerUuid,
        masterKeyId: master.id,
        wrapped: encrypt(master.bytes, key, dataKeyContext(ownerUuid)),
        createdAt: this.clock.now(),
      }),
    );
    return key;
  }

  /**
   * The owner's data key. Hold it no longer than the work needs it.
   * @throws when the owner has none, or its master key is not among `ENCRYPTION_KEYS`.
   */
  async key(em: EntityManager, ownerUuid: string): Promise<Buffer> {
    return this.unwrap(await this.wrapped(em, ownerUuid), ownerUuid);
  }

  /** The data keys of several owners; those that have none, or none that can be opened, are not in it: {@link key} says why. */
  async keys(em: EntityManager, ownerUuids: readonly string[]): Promise<Map<string, Buffer>> {
    const rows = await prepared<StoredKey & { ownerUuid: string }>(em, READ_ALL, [ownerUuids]);
    const keys = new Map<string, Buffer>();
    for (const row of rows) {
      try {
        keys.set(row.ownerUuid, this.unwrap(row, row.ownerUuid));
      } catch {
        // One owner's fault must not be that of all the others.
      }
    }
    return keys;
  }

  private unwrap({ masterKeyId, wrapped }: StoredKey, ownerUuid: string): Buffer {
    return decrypt(this.master(masterKeyId).bytes, Buffer.from(wrapped), dataKeyContext(ownerUuid));
  }

  /** Every event needs one. In a transaction the key may have been made a moment ago: the ORM knows. */
  private async wrapped(em: EntityManager, ownerUuid: string): Promise<StoredKey> {
    const [row] = em.isInTransaction() ? [] : await prepared<StoredKey>(em, READ, [ownerUuid]);
    return row ?? em.findOneOrFail(DataKey, ownerUuid);
  }

  /** Seals a JSON value. `purpose` names the column, so that one sealed value cannot stand in for another. */
  encrypt(key: Buffer, purpose: string, value: unknown): Encrypted {
    return new Encrypted(encrypt(key, Buffer.from(JSON.stringify(value)), purpose));
  }

  /** Decrypts what `encrypt` made. @throws when key or purpose differ. */
  decrypt<T>(key: Buffer, purpose: string, sealed: Encrypted): T {
    return JSON.parse(decrypt(key, sealed.bytes, purpose).toString('utf8')) as T;
  }

  /**
   * Wraps up to `limit` data keys anew with the first master key and returns how many: rotation without touching content.
   * In the caller's transaction, which holds the rows; those whose master key is not among `ENCRYPTION_KEYS` are left.
   */
  async rewrap(em: EntityManager, limit: number): Promise<number> {
    const current = this.settings.encryptionKeys[0]!;
    const lockMode = em.isInTransaction() ? LockMode.PESSIMISTIC_WRITE : undefined;
    const countStale = await em.find(DataKey, { masterKeyId: { $in: this.otherMasters } }, { limit, lockMode });
    for (const row of countStale) {
      const context = dataKeyContext(row.ownerUuid);
      row.wrapped = encrypt(
        current.bytes,
        decrypt(this.master(row.masterKeyId).bytes, Buffer.from(row.wrapped), context),
        context,
      );
      row.masterKeyId = current.id;
    }
    await em.flush();
    return countStale.length;
  }

  /** How many data keys `rewrap` has still to do. */
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

/** What is said, wherever it is noticed, of a master key that has been dropped too early. */
export const missingMasterKey = (id: string): Error =>
  new Error(`ENCRYPTION_KEYS has no key "${id}", which data in this database needs.`);

/** Where a wrapped data key belongs. */
export const dataKeyContext = (ownerUuid: string) => `data-key:${ownerUuid}`;
