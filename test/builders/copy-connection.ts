import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { v7 as newUuid } from 'uuid';
import { KeyManager } from '../../src/platform/crypto/key-manager';
import { sql } from '../../src/platform/database/sql';

/**
 * Copies a connection into another environment, with its identity and its data key, so that copies of its documents can be sent there.
 * The copy is never fetched. Returns its uuid; it is made once for each environment.
 */
export async function copyConnection(
  app: INestApplicationContext,
  model: string,
  environmentUuid: string,
): Promise<string> {
  const em = app.get(EntityManager, { strict: false }).fork();
  const found = await sql<{ uuid: string }>(
    em,
    'select uuid from connection where environment_uuid = $1 and name = $2',
    [environmentUuid, model],
  );
  if (found[0]) return found[0].uuid;
  const [uuid, identity] = [newUuid(), newUuid()];
  await sql(
    em,
    `with owner as (
       insert into identity select (jsonb_populate_record(i, jsonb_build_object('uuid', $3::text, 'environment_uuid', $4::text))).*
       from identity i where i.uuid = (select identity_uuid from connection where uuid = $1))
     insert into connection select (jsonb_populate_record(c, jsonb_build_object('uuid', $2::text, 'identity_uuid', $3::text,
       'environment_uuid', $4::text, 'name', c.uuid::text, 'next_fetch_at', null, 'immediate_fetch_at', null))).*
     from connection c where c.uuid = $1`,
    [model, uuid, identity, environmentUuid],
  );
  const keyManager = app.get(KeyManager, { strict: false });
  const { current } = await keyManager.key(em, model);
  const { masterKeyId, wrappedKey } = await keyManager.wrap(current, uuid);
  await sql(
    em,
    `insert into data_key (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at) values ($1, $2, $3, $4, $5, now())`,
    [uuid, environmentUuid, current.version, masterKeyId, wrappedKey],
  );
  return uuid;
}
