import { verifyStorage } from '../documents/store/verify-storage';
import type { OpenDatabase } from './database/open-database';
import type { Settings } from '../platform/config/settings';
import { verifyKeys } from '../platform/crypto/verify-keys';
import { assertDirectConnection } from './database/assert-direct-connection';
import { assertMigrated, assertSchemaKnown } from './database/check-schema';

/** Deviations that an entry point tolerates; by default none. */
export interface Tolerated {
  /** The schema may be older than this version, or missing: the migration step. */
  readonly oldSchema?: boolean;
  /**
   * Master keys that the data require may be missing from `ENCRYPTION_KEYS`; those that are present must be correct.
   */
  readonly missingKeys?: boolean;
}

/**
 * The start-up check of every entry point, before it reads or writes data: the database must be reached as `DATABASE_POOLER`
 * says, the schema must be the one of this version,
 * and `ENCRYPTION_KEYS` and `STORAGE_URL` must match the data of this database (decisions 8). Resolves with one
 * sentence when the bucket or a KMS is temporarily unavailable, which does not prevent the start, otherwise with null.
 * @throws Error in one sentence; StorageUnavailable when the bucket denies a required operation, KmsUnavailable
 * when a KMS does
 */
export async function verifyInstallation(
  database: OpenDatabase,
  settings: Settings,
  { oldSchema = false, missingKeys = false }: Tolerated = {},
): Promise<string | null> {
  if (database.folder === null && settings.databasePooler === null) await assertDirectConnection(database.url);
  await (oldSchema ? assertSchemaKnown(database) : assertMigrated(database));
  const check = oldSchema ? unlessMissing : <T>(result: Promise<T>) => result;
  const kmsWarning = await check(verifyKeys(database.url, settings, missingKeys));
  const storageWarning = await check(verifyStorage(database.url, settings.storage));
  return [kmsWarning, storageWarning].filter(Boolean).join('; ') || null;
}

/** A table or column that is missing in an old schema contains no data that could contradict the settings. */
function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  return result.catch((error: unknown) => {
    const { code } = Object(error) as { code?: unknown };
    if (code === '42P01' || code === '42703') return null; // undefined_table, undefined_column
    throw error;
  });
}
