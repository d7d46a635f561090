import { unreachableCode, unreachableReason } from './unreachable-code';

const failure = (code: string, message = code): Error => Object.assign(new Error(message), { code });

describe('The reason why a server cannot be reached', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'CERTIFICATE_INVALID_EXPIRED'],
    ['INVALID_PURPOSE', 'CERTIFICATE_INVALID_WRONG_PURPOSE'],
    ['INVALID_CA', 'CERTIFICATE_INVALID_WRONG_PURPOSE'],
    ['CERT_SIGNATURE_FAILURE', 'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY'],
    ['PATH_LENGTH_EXCEEDED', 'CERTIFICATE_INVALID'],
    ['ERROR_IN_CERT_NOT_AFTER_FIELD', 'CERTIFICATE_INVALID'],
    ['CERT_CHAIN_TOO_LONG', 'CERTIFICATE_INVALID'],
  ])('is found by the error code %s: %s', (code, reason) => {
    expect(unreachableReason(new Error('no connection', { cause: failure(code) }))).toBe(reason);
    expect(unreachableCode(failure(code))).toBe('CERTIFICATE_INVALID');
  });

  it.each([
    ['EE certificate key too weak', 'CERTIFICATE_INVALID_WEAK'],
    ['CA signature digest algorithm too weak', 'CERTIFICATE_INVALID_WEAK'],
    ['unhandled critical extension', 'CERTIFICATE_INVALID'],
  ])('is found by the text of OpenSSL where Node has no code: %s', (message, reason) => {
    expect(unreachableReason(failure('UNSPECIFIED', message))).toBe(reason);
  });

  it('is not guessed', () => {
    expect(unreachableReason(failure('INVALID_ARGUMENT'))).toBeNull();
    expect(unreachableReason(new Error('too weak'))).toBeNull();
    expect(unreachableReason(null)).toBeNull();
  });
});
