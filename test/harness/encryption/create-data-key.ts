import type { INestApplicationContext } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import type { KeyRing } from '../../../src/platform/crypto/key-ring';

/** A stored data key of an owner without a connection or environment. */
export async function createDataKey(
  app: INestApplicationContext,
  owner: { readonly uuid: string; readonly environmentUuid: string },
): Promise<KeyRing> {
  const em = app.get(EntityManager, { strict: false }).fork();
  const keyManager = app.get(KeyManager, { strict: false });
  const dataKey = await keyManager.generate(owner.uuid);
  keyManager.store(em, owner.environmentUuid, dataKey);
  await em.flush();
  return dataKey.key;
}
