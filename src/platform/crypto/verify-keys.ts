import type { NamedKey } from '../config/settings';
import { withClient } from '../database/with-client';
import { decrypt } from './cipher';
import { missingMasterKey, dataKeyContext } from './key-manager';

/** So many data keys of a master key are tried: one that is damaged says nothing about it. */
const TRIED = 5;

/**
 * Asked before a process starts (`missingKeys`: and can do without keys that are not there): with a wrong key it could fetch and deliver nothing, and would seal what is new with a key that
 * nobody has noted down.
 * @throws Error in one sentence when a master key that data need is not among `ENCRYPTION_KEYS`, or is another one there
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
      const { rows } = await client.query<{ owner_uuid: string; wrapped: Buffer }>(
        'select owner_uuid, wrapped from data_key where master_key_id = $1 limit $2',
        [id, TRIED],
      );
      if (!rows.some((row) => opens(key, row.wrapped, row.owner_uuid))) {
        throw new Error(`the key "${id}" of ENCRYPTION_KEYS is not the one that data in this database needs.`);
      }
    }
  });
}

function opens({ bytes }: NamedKey, wrapped: Buffer, owner: string): boolean {
  try {
    decrypt(bytes, wrapped, dataKeyContext(owner));
    return true;
  } catch {
    return false;
  }
}
