import {
  AuthorizationRevoked,
  ClientRefused,
  SelectionNotFound,
  PermissionMissing,
  UnexpectedResponse,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  InvalidCredentials,
  RateLimited,
  Transient,
  TooManyConnections,
} from '../../integrations/core/source-errors';
import { Unreachable } from '../../integrations/shared/reachability/unreachable-code';
import { AddressNotAllowed } from '../../platform/network/network';
import { backOffSeconds, classifyFailure } from './classify-failure';

describe('classifyFailure', () => {
  it.each([
    [new InvalidCredentials('no'), { kind: 'credentials', reason: 'LOGIN_REJECTED' }],
    [new AuthorizationRevoked('no'), { kind: 'credentials', reason: 'CONSENT_REVOKED' }],
    [new AuthorizationRevoked('no', 'CONSENT_EXPIRED'), { kind: 'credentials', reason: 'CONSENT_EXPIRED' }],
    [new AuthorizationRevoked('no', 'SCOPE_MISSING'), { kind: 'credentials', reason: 'SCOPE_MISSING' }],
    [new SelectionNotFound('no folder'), { kind: 'user', reason: 'FOLDER_NOT_FOUND' }],
    [new PermissionMissing('no right'), { kind: 'user', reason: 'PERMISSION_MISSING' }],
    [new RateLimited('wait', 7), { kind: 'wait', reason: 'RATE_LIMITED', seconds: 7, wholeProvider: false }],
    [
      new RateLimited('wait', 7, { scope: 'provider' }),
      { kind: 'wait', reason: 'RATE_LIMITED', seconds: 7, wholeProvider: true },
    ],
    [new Transient('away'), { kind: 'back-off', reason: 'PROVIDER_DOWN', log: null }],
    [new UnexpectedResponse('nonsense'), { kind: 'back-off', reason: 'PROVIDER_CHANGED', log: 'warn' }],
    [new ClientRefused('our secret'), { kind: 'back-off', reason: 'PROVIDER_CHANGED', log: 'error' }],
    [new CursorInvalid('which cursor?'), { kind: 'relist' }],
    [new DocumentUnavailable('gone', true), { kind: 'document', code: 'DOCUMENT_GONE' }],
    [new DocumentRefused('locked'), { kind: 'document', code: 'DOCUMENT_REFUSED' }],
    [new DocumentUnavailable('later', false), { kind: 'document', code: 'DOCUMENT_UNAVAILABLE' }],
    [new DocumentUnavailable('nothing', true, { problem: 'EMPTY' }), { kind: 'document', code: 'DOCUMENT_EMPTY' }],
    [
      new DocumentUnavailable('no zip archive', true, { problem: 'DAMAGED' }),
      { kind: 'document', code: 'DOCUMENT_DAMAGED' },
    ],
    [
      new DocumentUnavailable('another size', true, { problem: 'CHANGED' }),
      { kind: 'document', code: 'DOCUMENT_CHANGED' },
    ],
    [
      new DocumentUnavailable('too long', true, { problem: 'TOO_LARGE' }),
      { kind: 'document', code: 'DOCUMENT_TOO_LARGE' },
    ],
    [new TooManyConnections('full'), { kind: 'back-off', reason: 'RATE_LIMITED_CONNECTIONS', log: null }],
  ])('%s', (error, next) => {
    expect(classifyFailure(error)).toEqual(next);
  });

  it.each([
    [new TypeError('x is undefined')],
    ['a string'],
    [undefined],
    [Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('does not attribute unexpected errors to the credentials: %s', (error) => {
    expect(classifyFailure(error)).toEqual({ kind: 'back-off', reason: 'PROVIDER_DOWN', log: 'error' });
  });
});

describe('classifyFailure of unreachable sources', () => {
  const refused = new Transient('away', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });

  it('returns the reason for a typed server, and PROVIDER_DOWN for a known provider', () => {
    expect(classifyFailure(refused, true)).toEqual({ kind: 'back-off', reason: 'CONNECTION_REFUSED', log: null });
    expect(classifyFailure(refused)).toEqual({ kind: 'back-off', reason: 'PROVIDER_DOWN', log: null });
  });

  it('returns the exact reason, and leaves the decision about another certificate to the user', () => {
    const expired = new Transient('away', { cause: Object.assign(new Error('no'), { code: 'CERT_HAS_EXPIRED' }) });
    expect(classifyFailure(expired, true)).toMatchObject({ kind: 'back-off', reason: 'CERTIFICATE_INVALID_EXPIRED' });
    const changed = new Unreachable('another one', 'CERTIFICATE_INVALID_CHANGED');
    expect(classifyFailure(changed, true)).toEqual({ kind: 'user', reason: 'CERTIFICATE_INVALID_CHANGED' });
  });

  it('logs an address that is not allowed as a warning, not as an error', () => {
    const closed = new AddressNotAllowed('10.0.0.1');
    expect(classifyFailure(closed, true)).toEqual({ kind: 'back-off', reason: 'HOST_NOT_FOUND', log: 'warn' });
  });

  it('keeps the reason that the connector has given', () => {
    const cause = Object.assign(new Error('no'), { code: 'ETIMEDOUT' });
    expect(classifyFailure(new InvalidCredentials('no', { cause }), true)).toMatchObject({ kind: 'credentials' });
    expect(classifyFailure(new RateLimited('wait', 7, { cause }), true)).toMatchObject({ kind: 'wait' });
  });
});

describe('backOffSeconds', () => {
  it('starts at one minute and doubles with every failure', () => {
    expect([0, 1, 2, 3, 10].map((failures) => backOffSeconds(failures, 1_000_000, 0.5))).toEqual([
      60, 120, 240, 480, 61_440,
    ]);
  });

  it('never exceeds the interval', () => {
    for (const failures of [5, 12, 20, 1_000, 1e9]) {
      expect([0, 0.5, 1].map((random) => backOffSeconds(failures, 5, random))).toEqual([200, 250, 300]);
    }
  });

  it('adds jitter of ± 20 %', () => {
    expect(backOffSeconds(3, 1440, 0)).toBe(384);
    expect(backOffSeconds(3, 1440, 1)).toBe(576);
    const waits = Array.from({ length: 100 }, () => backOffSeconds(3, 1440));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(384);
    expect(Math.max(...waits)).toBeLessThanOrEqual(576);
    expect(new Set(waits).size).toBeGreaterThan(10);
  });
});
