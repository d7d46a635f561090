import { KmsUnavailable } from '../availability/kms-unavailable';
import type { Settings } from '../config/settings';
import { withClient } from '../database/with-client';
import { dataKeyContext } from './key-manager';
import { MasterKeys, missingMasterKey } from './master-keys';

/** Data keys that are tried per master key: a single damaged one must not fail the check. */
const SAMPLE_SIZE = 5;

interface WrappedVersion {
  readonly owner_uuid: string;
  readonly version: number;
  readonly wrapped_key: Buffer;
}

/**
 * Start-up check of `ENCRYPTION_KEYS`. With a wrong key the process could neither fetch nor deliver, and would encrypt new data
 * with a key that is not backed up. With `missingKeys`, absent master keys are tolerated. Resolves with one sentence when a KMS is
 * temporarily unavailable, which does not prevent the start, otherwise with null.
 * @throws Error in one sentence when a master key that data need is not among `ENCRYPTION_KEYS`, or has another value there;
 * KmsUnavailable when its KMS refuses it
 */
export async function verifyKeys(databaseUrl: string, settings: Settings, missingKeys = false): Promise<string | null> {
  const masterKeys = new MasterKeys(settings);
  let warning: string | null = null;
  await withClient(databaseUrl, async (client) => {
    const { rows: needed } = await client.query<{ id: string }>(
      'select master_key_id as id from data_key union select master_key_id from data_key_version order by 1',
    );
    for (const { id } of needed) {
      const isPresent = masterKeys.ids.includes(id);
      if (!isPresent && missingKeys) continue;
      if (!isPresent) throw missingMasterKey(id);
      const { rows } = await client.query<WrappedVersion>(
        `select owner_uuid, version, wrapped_key from data_key where master_key_id = $1
         union all select owner_uuid, version, wrapped_key from data_key_version where master_key_id = $1 limit $2`,
        [id, SAMPLE_SIZE],
      );
      if (rows.length === 0) continue; // a rotation has rewrapped them since the first query
      const outcome = await tryToUnwrap(masterKeys, id, rows);
      if (typeof outcome === 'string') warning = outcome;
      if (outcome === false) {
        throw new Error(`the key "${id}" of ENCRYPTION_KEYS is not the one that data in this database needs.`);
      }
    }
  });
  return warning;
}

/** Whether one of the data keys can be unwrapped; a sentence when the KMS does not answer. */
async function tryToUnwrap(
  masterKeys: MasterKeys,
  masterKeyId: string,
  rows: readonly WrappedVersion[],
): Promise<boolean | string> {
  for (const { owner_uuid: owner, version, wrapped_key: wrappedKey } of rows) {
    try {
      await masterKeys.unwrap({ masterKeyId, wrappedKey }, dataKeyContext(owner, version));
      return true;
    } catch (error) {
      if (!(error instanceof KmsUnavailable)) continue;
      if (!error.isTransient) throw error;
      return error.message;
    }
  }
  return false;
}
