import { withClient } from '../../platform/database/with-client';
import { Bucket } from '../../platform/storage/bucket';
import { StorageUnavailable } from '../../platform/availability/storage-unavailable';
import type { BucketSettings } from '../../platform/storage/storage-url';

/** A start does not wait for what may take long to come back. */
const START_PATIENCE_MS = 1_000;

/**
 * Asked before a process starts: with another bucket than the one its documents lie in, it could deliver
 * none of them, nor remove what deleted ones have left there.
 * Answers what does not work at the moment and will without anybody's help; null: nothing.
 * @throws Error in one sentence when documents lie in another place than `STORAGE_URL` names; `StorageUnavailable` when the bucket
 *   refuses what is needed
 */
export async function verifyStorage(databaseUrl: string, storage: BucketSettings | null): Promise<string | null> {
  const bucket = storage && new Bucket(storage, undefined, START_PATIENCE_MS);
  try {
    await assertPlaceFits(databaseUrl, bucket?.location ?? null);
    await bucket?.check();
    return null;
  } catch (error) {
    if (error instanceof StorageUnavailable && error.isTransient) return error.message;
    throw error;
  } finally {
    await bucket?.close();
  }
}

async function assertPlaceFits(databaseUrl: string, location: string | null): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ location: string }>(
      `(select location from content where location is not null and location is distinct from $1 limit 1)
       union all (select location from content_removal where location is distinct from $1 limit 1)`,
      [location],
    ),
  );
  const [other] = rows;
  if (!other) return;
  const named = location === null ? 'STORAGE_URL is not set' : `STORAGE_URL names "${location}"`;
  throw new Error(`documents lie in the bucket and prefix "${other.location}", and ${named}.`);
}
