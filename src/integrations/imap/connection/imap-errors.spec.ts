import { AddressNotAllowed } from '../../../platform/network/network';
import { SelectionNotFound, InvalidCredentials, RateLimited, Transient } from '../../core/source-errors';
import { classify } from './imap-errors';

const failure = (facts: object): unknown =>
  classify(Object.assign(new Error('secret words'), facts), 'IMAP mail.example');
const login = (facts: object): unknown => failure({ authenticationFailed: true, responseStatus: 'NO', ...facts });

describe('classify', () => {
  it.each([
    [{ serverResponseCode: 'AUTHENTICATIONFAILED', responseText: 'try again later' }],
    [{ serverResponseCode: 'EXPIRED' }],
    [{ responseText: 'LOGIN failed' }],
    [{ serverResponseCode: 'ALERT', responseText: 'Application-specific password required' }],
    [{}],
  ])('classifies a definite rejection: %j', (facts) => expect(login(facts)).toBeInstanceOf(InvalidCredentials));

  it.each([
    [{ serverResponseCode: 'UNAVAILABLE' }],
    [{ serverResponseCode: 'INUSE' }],
    [{ serverResponseCode: 'LIMIT' }],
    [{ serverResponseCode: 'ALERT', responseText: 'Too many simultaneous connections' }],
    [{ responseText: 'Temporary authentication failure' }],
    [{ responseStatus: 'BAD' }],
    [{ responseStatus: undefined, code: 'NoConnection' }],
  ])('does not attribute server problems to the password: %j', (facts) =>
    expect(login(facts)).toBeInstanceOf(Transient),
  );

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'CONNECT_TIMEOUT', 'NoConnection', 'ETIMEOUT'])(
    'classifies %s as transient',
    (code) => expect(failure({ code })).toBeInstanceOf(Transient),
  );

  it('detects a server that requires TLS', () => {
    expect(login({ serverResponseCode: 'PRIVACYREQUIRED' })).toMatchObject({ code: 'TLS_REQUIRED' });
  });

  it('detects a missing folder and a requested pause', () => {
    expect(failure({ responseStatus: 'NO', mailboxMissing: true })).toBeInstanceOf(SelectionNotFound);
    expect(failure({ responseStatus: 'NO', serverResponseCode: 'NONEXISTENT' })).toBeInstanceOf(SelectionNotFound);
    expect(failure({ responseStatus: 'NO', serverResponseCode: 'SERVERBUG' })).toBeInstanceOf(Transient);
    const limited = failure({ code: 'ETHROTTLE', throttleReset: 92_415 });
    expect(limited).toBeInstanceOf(RateLimited);
    expect(limited).toMatchObject({ retryAfterSeconds: 93 });
  });

  it('does not repeat the server’s text', () => {
    expect(String(login({ responseText: 'no such user anna/geheim' }))).not.toContain('geheim');
    expect(String(failure({ code: 'ECONNRESET' }))).not.toContain('secret');
  });

  it('passes on classified errors and defects', () => {
    for (const error of [
      new AddressNotAllowed('mail.example'),
      new Transient('x'),
      new TypeError('x is not a function'),
    ]) {
      expect(classify(error, 'IMAP')).toBe(error);
    }
  });
});
