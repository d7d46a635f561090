import { authenticatedTarget, redactSecret } from './client-auth';

const URL_ = 'https://client.example/documents?tenant=7&token=old#part';

describe('authenticate (spec 5 rule 6)', () => {
  it('sends no credentials when none are required', () => {
    const { url, headers } = authenticatedTarget(URL_, 'NONE', null);
    expect(headers).toEqual({});
    expect(url.href).toBe(URL_);
  });

  it('sends a bearer token', () => {
    expect(authenticatedTarget(URL_, 'BEARER', 's3cret').headers).toEqual({ authorization: 'Bearer s3cret' });
  });

  it('sends a complete authorization header', () => {
    expect(authenticatedTarget(URL_, 'HEADER', 'Basic dTpw').headers).toEqual({ authorization: 'Basic dTpw' });
  });

  it('sends the query parameter `token` once, encoded, with the others', () => {
    const { url, headers } = authenticatedTarget(URL_, 'QUERY', 'a&b=c d/ü');
    expect(headers).toEqual({});
    expect(url.searchParams.getAll('token')).toEqual(['a&b=c d/ü']);
    expect(url.searchParams.get('tenant')).toBe('7');
    expect(url.search).not.toContain('a&b');
  });
});

describe('withoutSecret', () => {
  it.each([
    ['QUERY', 'a&b=c d/ü', 'no /documents?token=a%26b%3Dc+d%2F%C3%BC', 'no /documents?token=***'],
    ['QUERY', 'a&b=c d/ü', 'no a%26b%3Dc%20d%2F%C3%BC, no a&b=c d/ü', 'no ***, no ***'],
    ['BEARER', 's3cret', 'I know no "s3cret" of Bearer s3cret', 'I know no "***" of ***'],
    ['HEADER', 'Basic dTpw', 'not Basic dTpw, not dTpw', 'not ***, not ***'],
    ['HEADER', 'dTpw', 'not dTpw', 'not ***'],
  ] as const)('hides what an endpoint repeats of %s %s', (auth, secret, response, shown) => {
    expect(redactSecret(response, authenticatedTarget(URL_, auth, secret))).toBe(shown);
  });

  it('returns a text without a secret unchanged', () => {
    expect(redactSecret('ok', authenticatedTarget('https://client.example/', 'NONE', null))).toBe('ok');
  });
});
