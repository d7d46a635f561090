import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldInput } from '../integrations/validate-fields';
import type { Vault } from '../platform/crypto/vault';
import { type Connection, STEP1_SECRETS } from './connection.entity';

/** A connection's whole input, secrets opened: for a session with its connector, and for nothing else. */
export async function storedInput(
  em: EntityManager,
  vault: Vault,
  connection: Connection,
): Promise<{ fields: FieldInput; step2: FieldInput; pins: Map<string, string> }> {
  const key = await vault.key(em, connection.uuid);
  const secrets = connection.secrets ? vault.open<FieldInput>(key, STEP1_SECRETS, connection.secrets) : {};
  return {
    fields: { ...connection.settings, ...secrets },
    step2: connection.step2,
    pins: new Map(Object.entries(connection.pins ?? {})),
  };
}
