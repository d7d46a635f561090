import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import { lockServed } from '../../platform/database/served-environment';
import { sql } from '../../platform/database/sql';
import { conflict } from '../../platform/errors/errors';
import { Environment } from './environment.entity';

/**
 * Loads and locks an environment for a change of its settings. The lock lets rows that refer to it be written meanwhile.
 * @param expectedUpdatedAt the version that the change is based on; null: any
 * @throws ApiError 409 `ENVIRONMENT_CHANGED` when it was changed since; 500 `ENVIRONMENT_MOVING` while it is moved
 * @throws Error with a message for the support team when it does not exist
 */
export async function lockEnvironment(
  em: EntityManager,
  uuid: string,
  expectedUpdatedAt: Date | null = null,
): Promise<Environment> {
  await lockServed(em, uuid);
  await sql(em, 'select from environment where uuid = $1 for no key update', [uuid]);
  const environment = await em.findOne(Environment, uuid);
  if (!environment) throw noEnvironment(uuid);
  if (expectedUpdatedAt && environment.updatedAt.getTime() !== expectedUpdatedAt.getTime()) {
    throw conflict('ENVIRONMENT_CHANGED', { errors: [{ field: 'expected_updated_at', code: 'ENVIRONMENT_CHANGED' }] });
  }
  return environment;
}

/**
 * The data key of an environment, to be read before the transaction that changes it.
 * @throws Error with a message for the support team when the environment does not exist
 */
export async function environmentKey(em: EntityManager, keyManager: KeyManager, uuid: string): Promise<KeyRing> {
  if ((await em.count(Environment, { uuid })) === 0) throw noEnvironment(uuid);
  return keyManager.key(em, uuid);
}

const noEnvironment = (uuid: string): Error => new Error(`There is no environment ${uuid}.`);

/** Every change has another time than the one before, because it is also the version of the settings. */
export function touch(environment: Environment, now: Date): void {
  environment.updatedAt = new Date(Math.max(now.getTime(), environment.updatedAt.getTime() + 1));
}
