import { withClient } from '../../platform/database/with-client';
import { Bucket } from '../../platform/storage/bucket';
import { StorageUnavailable } from '../../platform/availability/storage-unavailable';
import type { BucketSettings } from '../../platform/storage/storage-url';

/** The start-up does not wait for an unavailable bucket. */
const START_RETRY_MS = 1_000;

/**
 * Start-up check of `STORAGE_URL`. With another bucket than the one of the stored documents, the process could neither deliver them
 * nor delete the objects of deleted ones.
 * Returns the reason of a transient error, otherwise null.
 * @throws Error in one sentence when documents are stored in another bucket or prefix than that of `STORAGE_URL`;
 *   `StorageUnavailable` when the bucket denies a required operation
 */
export async function verifyStorage(databaseUrl: string, storage: BucketSettings | null): Promise<string | null> {
  const bucket = storage && new Bucket(storage, undefined, START_RETRY_MS);
  try {
    await assertSameLocation(databaseUrl, bucket?.location ?? null);
    await bucket?.check();
    return null;
  } catch (error) {
    if (error instanceof StorageUnavailable && error.isTransient) return error.message;
    throw error;
  } finally {
    await bucket?.close();
  }
}

async function assertSameLocation(databaseUrl: string, location: string | null): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ location: string }>(
      `(select location from content where location is not null and location is distinct from $1 limit 1)
       union all (select location from object_deletion_queue where location is distinct from $1 limit 1)`,
      [location],
    ),
  );
  const [other] = rows;
  if (!other) return;
  const named = location === null ? 'STORAGE_URL is not set' : `STORAGE_URL names "${location}"`;
  throw new Error(`documents are stored in the bucket and prefix "${other.location}", and ${named}.`);
}
