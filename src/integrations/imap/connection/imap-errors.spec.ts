import { AddressNotAllowed } from '../../../platform/network/network';
import {
  SelectionNotFound,
  InvalidCredentials,
  RateLimited,
  TooManyConnections,
  Transient,
} from '../../core/source-errors';
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

  it.each([
    [{ serverResponseCode: 'LIMIT' }],
    [{ serverResponseCode: 'ALERT', responseText: 'Too many simultaneous connections. (Failure)' }],
    [{ responseText: 'Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)' }],
  ])('reports that too many programs are connected: %j', (facts) =>
    expect(login(facts)).toBeInstanceOf(TooManyConnections),
  );

  it.each([
    [{ serverResponseCode: 'ALERT', responseText: 'Application-specific password required' }, '_APP_PASSWORD'],
    [{ serverResponseCode: 'WEBALERT', responseText: 'Web login required.' }, '_APP_PASSWORD'],
    [{ serverResponseCode: 'ALERT', responseText: 'Your account is not enabled for IMAP use.' }, '_ACCESS_DISABLED'],
    [{ responseText: 'IMAP access is disabled for this mailbox' }, '_ACCESS_DISABLED'],
    [{ serverResponseCode: 'AUTHENTICATIONFAILED', responseText: 'Invalid credentials (Failure)' }, ''],
  ])('says why a password is rejected: %j', (facts, exactly) =>
    expect(login(facts)).toMatchObject({ reason: `LOGIN_REJECTED${exactly}` }),
  );

  it('distinguishes a server that accepts passwords only with TLS from one that accepts none', () => {
    const disabled = (isEncrypted: boolean): unknown =>
      classify(Object.assign(new Error('Login is disabled'), { authenticationFailed: true }), 'IMAP mail.example', {
        isEncrypted,
        isLoginDisabled: true,
      });
    expect(disabled(false)).toMatchObject({ code: 'TLS_REQUIRED' });
    expect(disabled(true)).toMatchObject({ reason: 'LOGIN_REJECTED_NO_PASSWORDS' });
  });

  it('distinguishes a missing STARTTLS from encryption that fails', () => {
    expect(failure({ tlsFailed: true })).toMatchObject({ exactReason: 'TLS_NOT_SUPPORTED_STARTTLS' });
    expect(failure({ tlsFailed: true, code: 'STARTTLS_INJECTION' })).toMatchObject({
      exactReason: 'TLS_NOT_SUPPORTED',
    });
  });

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
