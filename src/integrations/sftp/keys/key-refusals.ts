import { InvalidCredentials } from '../../core/source-errors';

/** `why` is a rest of a sentence about the key. Nothing of the key itself may be in it. */
export function badKey(why = 'is broken, or not in a known format'): InvalidCredentials {
  return new InvalidCredentials(`The private key ${why}.`, { field: 'private_key' });
}

export function wrongPassphrase(): InvalidCredentials {
  return new InvalidCredentials('The passphrase does not open the private key.', { field: 'passphrase' });
}

export function missingPassphrase(): InvalidCredentials {
  return new InvalidCredentials('The private key has a passphrase, which was not given.', { field: 'passphrase' });
}
