import type { NamedKey } from '../config/setting-parsers';
import { withClient } from '../database/with-client';
import { decrypt } from './cipher';
import { missingMasterKey, dataKeyContext } from './key-manager';

/** Data keys that are tried per master key: a single damaged one must not fail the check. */
const SAMPLE_SIZE = 5;

/**
 * Start-up check of `ENCRYPTION_KEYS`. With a wrong key the process could neither fetch nor deliver, and would encrypt new data
 * with a key that is not backed up. With `missingKeys`, absent master keys are tolerated.
 * @throws Error in one sentence when a master key that data need is not among `ENCRYPTION_KEYS`, or has another value there
 */
export async function verifyKeys(databaseUrl: string, keys: readonly NamedKey[], missingKeys = false): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows: needed } = await client.query<{ id: string }>(
      'select master_key_id as id from data_key group by 1 order by 1',
    );
    for (const { id } of needed) {
      const key = keys.find((one) => one.id === id);
      if (!key && missingKeys) continue;
      if (!key) throw missingMasterKey(id);
      const { rows } = await client.query<{ owner_uuid: string; wrapped_key: Buffer }>(
        'select owner_uuid, wrapped_key from data_key where master_key_id = $1 limit $2',
        [id, SAMPLE_SIZE],
      );
      if (rows.length === 0) continue; // a rotation has rewrapped them since the first query
      if (!rows.some((row) => canUnwrap(key, row.wrapped_key, row.owner_uuid))) {
        throw new Error(`the key "${id}" of ENCRYPTION_KEYS is not the one that data in this database needs.`);
      }
    }
  });
}

function canUnwrap({ bytes }: NamedKey, wrapped: Buffer, owner: string): boolean {
  try {
    decrypt(bytes, wrapped, dataKeyContext(owner));
    return true;
  } catch {
    return false;
  }
}
