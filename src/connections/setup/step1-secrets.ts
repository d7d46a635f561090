import type { FieldInput } from '../../integrations/core/validate-fields';
import type { Encrypted } from '../../platform/crypto/encrypted';
import type { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';

/** Binds the ciphertext to its use. */
export const STEP1_SECRETS = 'connection.step1-secrets';

/** Encrypts the secrets of step 1 with the connection's data key. */
export function encryptStep1Secrets(keyManager: KeyManager, dataKey: KeyRing, secrets: FieldInput): Encrypted {
  return keyManager.encrypt(dataKey, STEP1_SECRETS, secrets);
}

/** @throws when they were encrypted with another key or for another use */
export function decryptStep1Secrets(keyManager: KeyManager, dataKey: KeyRing, secrets: Encrypted): FieldInput {
  return keyManager.decrypt<FieldInput>(dataKey, STEP1_SECRETS, secrets);
}
