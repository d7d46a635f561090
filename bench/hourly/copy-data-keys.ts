import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { decrypt, encrypt } from '../../src/platform/crypto/cipher';
import { dataKeyContext } from '../../src/platform/crypto/key-manager';
import { ORIGINAL_VERSION } from '../../src/platform/crypto/key-ring';

const BATCH = 10_000;

/** Gives the copies of a connection its data key, wrapped for each of them with the master key that the service has generated in `dataDir`. */
export async function copyDataKeys(database: Client, dataDir: string, model: string): Promise<void> {
  const [id, encoded] = (await readFile(join(dataDir, 'encryption-key'), 'utf8')).trim().split(':');
  const master = Buffer.from(encoded!, 'base64');
  const { rows } = await database.query<{ wrapped_key: Buffer; environment_uuid: string }>(
    'select wrapped_key, environment_uuid from data_key where owner_uuid = $1',
    [model],
  );
  const { wrapped_key: wrapped, environment_uuid: environment } = rows[0]!;
  const dataKey = decrypt(master, wrapped, dataKeyContext(model, ORIGINAL_VERSION));
  const copies = await database.query<{ uuid: string }>(
    `select uuid from connection c where environment_uuid = $1
       and not exists (select from data_key where owner_uuid = c.uuid)`,
    [environment],
  );
  for (let at = 0; at < copies.rows.length; at += BATCH) {
    const uuids = copies.rows.slice(at, at + BATCH).map(({ uuid }) => uuid);
    const keys = uuids.map((uuid) => encrypt(master, dataKey, dataKeyContext(uuid, ORIGINAL_VERSION)));
    await database.query(
      `insert into data_key (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at)
       select owner, $1, $2, $3, wrapped, now() from unnest($4::uuid[], $5::bytea[]) as given (owner, wrapped)`,
      [environment, ORIGINAL_VERSION, id, uuids, keys],
    );
  }
}
