import { verifyStorage } from '../documents/store/verify-storage';
import type { OpenDatabase } from './database/open-database';
import type { Settings } from '../platform/config/settings';
import { verifyKeys } from '../platform/crypto/verify-keys';
import { assertMigrated, assertSchemaKnown } from './database/check-schema';

/** Deviations that an entry point tolerates; by default none. */
export interface Tolerated {
  /** The schema may be older than this version, or missing: the migration step. */
  readonly oldSchema?: boolean;
  /** Master keys that data need may be missing from `ENCRYPTION_KEYS`; those that are there must still be the right ones. */
  readonly missingKeys?: boolean;
}

/**
 * The start-up check of every entry point, before it reads or writes data: that the schema is the one of this version, and that
 * `ENCRYPTION_KEYS` and `STORAGE_URL` are those with which the data of this database were written (decisions 8).
 * Resolves with one sentence when the bucket does not answer at the moment, which is no reason not to start, else with null.
 * @throws Error in one sentence; StorageUnavailable when the bucket refuses what is needed
 */
export async function verifyInstallation(
  database: OpenDatabase,
  settings: Settings,
  { oldSchema = false, missingKeys = false }: Tolerated = {},
): Promise<string | null> {
  await (oldSchema ? assertSchemaKnown(database) : assertMigrated(database));
  const check = oldSchema ? unlessMissing : <T>(result: Promise<T>) => result;
  await check(verifyKeys(database.url, settings.encryptionKeys, missingKeys));
  return check(verifyStorage(database.url, settings.storage));
}

/** A table or column that is missing in an old schema contains no data that could contradict the settings. */
function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  return result.catch((error: unknown) => {
    const { code } = Object(error) as { code?: unknown };
    if (code === '42P01' || code === '42703') return null; // undefined_table, undefined_column
    throw error;
  });
}
