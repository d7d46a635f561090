import { InvalidCredentials } from '../../core/source-errors';

/** `why` completes a sentence about the key and must not contain parts of it. */
export function badKey(why = 'is broken, or not in a known format'): InvalidCredentials {
  return new InvalidCredentials(`The private key ${why}.`, { field: 'private_key' });
}

export function wrongPassphrase(): InvalidCredentials {
  return new InvalidCredentials('The passphrase does not open the private key.', { field: 'passphrase' });
}

export function missingPassphrase(): InvalidCredentials {
  return new InvalidCredentials('The private key has a passphrase, which was not given.', { field: 'passphrase' });
}
