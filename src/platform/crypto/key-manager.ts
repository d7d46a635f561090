import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../clock/clock';
import { isUnavailable } from '../availability/storage-unavailable';
import { affected, prepared, sql } from '../database/sql';
import { DataKey } from './data-key.entity';
import { Encrypted } from './encrypted';
import { KeyRing, type KeyVersion, ORIGINAL_VERSION } from './key-ring';
import { MasterKeys } from './master-keys';

/** A wrapped data key. */
type StoredKey = Pick<DataKey, 'masterKeyId' | 'wrappedKey'>;

interface StoredVersion extends StoredKey {
  readonly ownerUuid: string;
  readonly version: number;
  readonly isCurrent: boolean;
}

/** A data key that is not stored yet. */
export interface NewDataKey {
  readonly ownerUuid: string;
  readonly key: KeyRing;
  readonly wrapped: StoredKey;
}

const COLUMNS = `owner_uuid as "ownerUuid", version, master_key_id as "masterKeyId", wrapped_key as "wrappedKey"`;
/** All versions of data keys. */
const versionsWhere = (condition: string) => `
  select ${COLUMNS}, true as "isCurrent" from data_key where ${condition}
  union all select ${COLUMNS}, false from data_key_version where ${condition}`;
const READ = versionsWhere('owner_uuid = $1');
const READ_ALL = versionsWhere('owner_uuid = any($1::uuid[])');
const READ_STALE = `${versionsWhere('master_key_id = any($1::text[])')} limit $2`;
const COUNT_STALE = `select count(*)::int as count from (${versionsWhere('master_key_id = any($1::text[])')}) stale`;
const READ_OTHER = `${versionsWhere('master_key_id <> $1')} limit 1`;
const replaceIn = (table: 'data_key' | 'data_key_version') => `
  update ${table} set master_key_id = given.master_key_id, wrapped_key = given.wrapped_key
  from unnest($1::uuid[], $2::integer[], $3::bytea[], $4::text[], $5::bytea[])
    as given (owner_uuid, version, former, master_key_id, wrapped_key)
  where ${table}.owner_uuid = given.owner_uuid and ${table}.version = given.version and ${table}.wrapped_key = given.former`;
const REPLACE = [replaceIn('data_key'), replaceIn('data_key_version')];

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
    const current = { version: ORIGINAL_VERSION, key: randomBytes(32) };
    return { ownerUuid, key: new KeyRing(current), wrapped: await this.wrap(current, ownerUuid) };
  }

  /** Stores a data key in the caller's transaction. */
  store(em: EntityManager, environmentUuid: string, { ownerUuid, key, wrapped }: NewDataKey): void {
    const { version } = key.current;
    em.persist(em.create(DataKey, { ownerUuid, environmentUuid, version, ...wrapped, createdAt: this.clock.now() }));
  }

  /** A version of a data key, wrapped by the first master key. @throws KmsUnavailable */
  wrap({ key, version }: KeyVersion, ownerUuid: string): Promise<StoredKey> {
    return this.masterKeys.wrap(key, dataKeyContext(ownerUuid, version));
  }

  /**
   * The owner's data key, in all its versions.
   * @throws when the owner has none, a master key is not among `ENCRYPTION_KEYS`, or `em` is in a transaction; KmsUnavailable
   */
  async key(em: EntityManager, ownerUuid: string): Promise<KeyRing> {
    assertNoTransaction(em);
    const stored = await prepared<StoredVersion>(em, READ, [ownerUuid]);
    if (stored.length === 0) throw new Error(`There is no data key of ${ownerUuid}.`);
    return this.unwrap(em, stored);
  }

  /**
   * The data keys of several owners, without missing ones and ones that cannot be unwrapped: {@link key} throws the reason.
   * @throws KmsUnavailable
   */
  async keys(em: EntityManager, ownerUuids: readonly string[]): Promise<Map<string, KeyRing>> {
    assertNoTransaction(em);
    const rows = await prepared<StoredVersion>(em, READ_ALL, [ownerUuids]);
    const keys = new Map<string, KeyRing>();
    await Promise.all(
      [...Map.groupBy(rows, ({ ownerUuid }) => ownerUuid)].map(async ([ownerUuid, stored]) => {
        try {
          keys.set(ownerUuid, await this.unwrap(em, stored));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          // A broken key of one owner must not affect the others.
        }
      }),
    );
    return keys;
  }

  private async unwrap(em: EntityManager, stored: readonly StoredVersion[]): Promise<KeyRing> {
    const keys = await Promise.all(
      stored.map(async (row): Promise<KeyVersion> => ({ version: row.version, key: await this.unwrapOne(row) })),
    );
    const current = keys[stored.findIndex(({ isCurrent }) => isCurrent)];
    const { ownerUuid } = stored[0]!;
    if (!current) throw new Error(`There is no current data key of ${ownerUuid}.`);
    return new KeyRing(
      current,
      keys.filter((one) => one !== current),
      () => this.key(em.fork(), ownerUuid),
    );
  }

  private unwrapOne({ ownerUuid, version, ...stored }: StoredVersion): Promise<Buffer> {
    return this.masterKeys.unwrap(stored, dataKeyContext(ownerUuid, version));
  }

  /** Encrypts a JSON value. `purpose` names the column, so that an encrypted value cannot be moved to another column. */
  encrypt(key: KeyRing, purpose: string, value: unknown): Encrypted {
    return new Encrypted(key.encrypt(Buffer.from(JSON.stringify(value)), purpose));
  }

  /** Decrypts a value of `encrypt`. @throws when key or purpose differ */
  decrypt<T>(key: KeyRing, purpose: string, encrypted: Encrypted): T {
    return JSON.parse(key.decrypt(encrypted.bytes, purpose).toString('utf8')) as T;
  }

  /**
   * Rewraps up to `limit` data keys, in all their versions, with the first master key and returns their number. Those that were deleted
   * or rewrapped meanwhile stay as they are; those whose master key is not among `ENCRYPTION_KEYS` are skipped.
   */
  async rewrap(em: EntityManager, limit: number): Promise<number> {
    const stale = await sql<StoredVersion>(em, READ_STALE, [this.otherMasters, limit]);
    const rewrapped = await Promise.all(
      stale.map(async (row) => this.wrap({ version: row.version, key: await this.unwrapOne(row) }, row.ownerUuid)),
    );
    const given = [
      stale.map(({ ownerUuid }) => ownerUuid),
      stale.map(({ version }) => version),
      stale.map(({ wrappedKey }) => wrappedKey),
      rewrapped.map(({ masterKeyId }) => masterKeyId),
      rewrapped.map(({ wrappedKey }) => wrappedKey),
    ];
    let count = 0;
    for (const statement of REPLACE) count += await affected(em, statement, given);
    return count;
  }

  /** The number of data keys, in all their versions, that `rewrap` has not rewrapped yet. */
  async countStale(em: EntityManager): Promise<number> {
    const [row] = await sql<{ count: number }>(em, COUNT_STALE, [this.otherMasters]);
    return row!.count;
  }

  /** A master key other than `masterKeyId` that wraps a data key; null when there is none. */
  async otherMasterThan(em: EntityManager, masterKeyId: string): Promise<string | null> {
    const [row] = await sql<StoredVersion>(em, READ_OTHER, [masterKeyId]);
    return row?.masterKeyId ?? null;
  }

  private get otherMasters(): string[] {
    const [current, ...others] = this.masterKeys.ids;
    return others.filter((id) => id !== current);
  }
}

function assertNoTransaction(em: EntityManager): void {
  if (em.isInTransaction()) throw new Error('Data keys are read before the transaction.');
}

/** The encryption context of a wrapped data key. Processes that know no versions cannot unwrap a replaced key and encrypt with it. */
export const dataKeyContext = (ownerUuid: string, version: number) =>
  `data-key:${ownerUuid}${version === ORIGINAL_VERSION ? '' : `:${version}`}`;
