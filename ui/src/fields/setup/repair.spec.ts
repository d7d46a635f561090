import type { Connection, Field } from '@docfetch/sdk';
import { repairOf } from './repair';

const field = (id: string, more: Partial<Field> = {}) => ({ id, type: 'text', secret: false, ...more }) as Field;
const IMAP = [
  field('host'),
  field('port', { type: 'number' }),
  field('security', { type: 'select' }),
  field('user'),
  field('password', { type: 'password', secret: true }),
  field('document_passwords', { type: 'password', secret: true, multiple: true }),
];

type Reason = NonNullable<Connection['reason']>;
const broken = (code: Reason['code'], action: Reason['action'], status: Connection['status'] = 'ACTIVE') =>
  ({ status, reason: { code, action, message: '', since: '' } }) as Connection;

describe('repairOf', () => {
  it.each<[Reason['code'], string[], string[]]>([
    ['LOGIN_REJECTED', ['password'], ['password']],
    ['SCOPE_MISSING', ['password'], []],
    ['HOST_NOT_FOUND', ['host', 'port'], []],
    ['TLS_NOT_SUPPORTED', ['host', 'port', 'security'], []],
  ])('asks only for the fields that %s concerns', (code, fields, refused) => {
    for (const status of ['ACTIVE', 'INVALID_CREDENTIALS'] as const)
      expect(repairOf(broken(code, 'UPDATE_CREDENTIALS', status), IMAP)).toEqual({
        ...{ fields, refused, asksForTrust: false },
      });
  });

  it.each(['HOST_KEY_UNKNOWN', 'HOST_KEY_CHANGED', 'CERTIFICATE_INVALID'] as const)(
    'asks only for the acceptance of the server with %s',
    (code) => {
      expect(repairOf(broken(code, 'UPDATE_CREDENTIALS'), IMAP)).toEqual({
        ...{ fields: [], refused: [], asksForTrust: true },
      });
    },
  );

  it('asks for the address or the bucket that does not exist', () => {
    const s3 = [field('endpoint', { type: 'url' }), field('bucket'), field('secret_key', { secret: true })];
    expect(repairOf(broken('ENDPOINT_NOT_FOUND', 'UPDATE_CREDENTIALS'), s3)?.fields).toEqual(['endpoint', 'bucket']);
  });

  it('asks for everything if the integration has none of the fields', () => {
    expect(repairOf(broken('HOST_NOT_FOUND', 'UPDATE_CREDENTIALS'), [field('user')])?.fields).toEqual(['user']);
  });

  it('asks for no field if the user authorizes at the provider', () => {
    expect(repairOf(broken('CONSENT_REVOKED', 'AUTHORIZE'), IMAP)?.fields).toEqual([]);
  });

  it('is null if nothing is broken, or the repair is elsewhere', () => {
    expect(repairOf({ status: 'ACTIVE', reason: null } as Connection, IMAP)).toBeNull();
    expect(repairOf(broken('FOLDER_NOT_FOUND', 'COMPLETE_SETUP'), IMAP)).toBeNull();
    expect(repairOf(broken('PROVIDER_DOWN', 'WAIT'), IMAP)).toBeNull();
    expect(repairOf(broken('LOGIN_REJECTED', 'UPDATE_CREDENTIALS', 'DISABLED'), IMAP)).toBeNull();
  });
});
