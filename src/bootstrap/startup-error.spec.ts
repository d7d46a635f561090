import { startupError } from './startup-error';

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('startupError', () => {
  it.each([
    ['a refused connection', coded('connect ECONNREFUSED 10.0.0.1:5432', 'ECONNREFUSED')],
    ['an unknown host name', coded('getaddrinfo ENOTFOUND db.example', 'ENOTFOUND')],
    ['an expired certificate', coded('certificate has expired', 'CERT_HAS_EXPIRED')],
    ['a certificate for another name', coded('Host: db is not in the names', 'ERR_TLS_CERT_ALTNAME_INVALID')],
    ['a self-signed certificate', coded('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a wrong password', coded('password authentication failed for user "u"', '28P01')],
    ['a database that does not exist', coded('database "x" does not exist', '3D000')],
  ])('names the database as the cause: %s', (_, error) => {
    expect(startupError(error)).toBe(`the database cannot be used: ${error.message}`);
  });

  it('reports each address of a host with several', () => {
    const each = ['127.0.0.1', '::1'].map((host) => coded(`connect ECONNREFUSED ${host}:5432`, 'ECONNREFUSED'));
    const all = Object.assign(new AggregateError(each), { code: 'ECONNREFUSED' });
    expect(startupError(all)).toBe(
      'the database cannot be used: connect ECONNREFUSED 127.0.0.1:5432, connect ECONNREFUSED ::1:5432',
    );
  });

  it('returns every other message unchanged in one line', () => {
    expect(startupError(new Error('the database lacks 2 migrations.\n  Run them.'))).toBe(
      'the database lacks 2 migrations. Run them.',
    );
    expect(startupError('gone')).toBe('gone');
  });
});
