import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import type { KeyRing } from '../../../src/platform/crypto/key-ring';
import { sql } from '../../../src/platform/database/sql';

/** Gives an owner a new data key; the one it had becomes a former version. Nothing is encrypted again, for a day. */
export async function replaceDataKey(app: INestApplicationContext, owner: string): Promise<KeyRing> {
  const em = app.get(EntityManager, { strict: false }).fork();
  const keyManager = app.get(KeyManager, { strict: false });
  const { current } = await keyManager.key(em, owner);
  const next = { version: current.version + 1, key: randomBytes(32) };
  const { masterKeyId, wrappedKey } = await keyManager.wrap(next, owner);
  await sql(
    em,
    `with former as (
       insert into data_key_version (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at, replaced_at, due_at)
       select owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at, now(), now() + interval '1 day'
       from data_key where owner_uuid = $1)
     update data_key set version = $2, master_key_id = $3, wrapped_key = $4 where owner_uuid = $1`,
    [owner, next.version, masterKeyId, wrappedKey],
  );
  return keyManager.key(em, owner);
}
