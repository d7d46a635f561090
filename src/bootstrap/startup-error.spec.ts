import { startupError } from './startup-error';

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('Why a door does not open', () => {
  it.each([
    ['a server that refuses', coded('connect ECONNREFUSED 10.0.0.1:5432', 'ECONNREFUSED')],
    ['a name that nobody knows', coded('getaddrinfo ENOTFOUND db.example', 'ENOTFOUND')],
    ['a certificate that has ended', coded('certificate has expired', 'CERT_HAS_EXPIRED')],
    ['a certificate for another name', coded('Host: db is not in the names', 'ERR_TLS_CERT_ALTNAME_INVALID')],
    ['a certificate of nobody', coded('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a wrong password', coded('password authentication failed for user "u"', '28P01')],
    ['a database that does not exist', coded('database "x" does not exist', '3D000')],
  ])('says that it is for the database: %s', (_, error) => {
    expect(startupError(error)).toBe(`the database cannot be used: ${error.message}`);
  });

  it('says it of each address of a host that has several', () => {
    const each = ['127.0.0.1', '::1'].map((host) => coded(`connect ECONNREFUSED ${host}:5432`, 'ECONNREFUSED'));
    const all = Object.assign(new AggregateError(each), { code: 'ECONNREFUSED' });
    expect(startupError(all)).toBe(
      'the database cannot be used: connect ECONNREFUSED 127.0.0.1:5432, connect ECONNREFUSED ::1:5432',
    );
  });

  it('says everything else as it is, in one line', () => {
    expect(startupError(new Error('the database lacks 2 migrations.\n  Run them.'))).toBe(
      'the database lacks 2 migrations. Run them.',
    );
    expect(startupError('gone')).toBe('gone');
  });
});
