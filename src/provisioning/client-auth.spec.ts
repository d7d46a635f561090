import { authenticate } from './client-auth';

const URL_ = 'https://client.example/documents?tenant=7&token=old#part';

describe('authenticate (spec 5 rule 6)', () => {
  it('sends nothing where nothing is needed', () => {
    const { url, headers } = authenticate(URL_, 'NONE', null);
    expect(headers).toEqual({});
    expect(url.href).toBe(URL_);
  });

  it('sends a bearer token', () => {
    expect(authenticate(URL_, 'BEARER', 's3cret').headers).toEqual({ authorization: 'Bearer s3cret' });
  });

  it('sends a whole authorization header', () => {
    expect(authenticate(URL_, 'HEADER', 'Basic dTpw').headers).toEqual({ authorization: 'Basic dTpw' });
  });

  it('sends the query parameter `token`, once, encoded, beside the others', () => {
    const { url, headers } = authenticate(URL_, 'QUERY', 'a&b=c d/ü');
    expect(headers).toEqual({});
    expect(url.searchParams.getAll('token')).toEqual(['a&b=c d/ü']);
    expect(url.searchParams.get('tenant')).toBe('7');
    expect(url.search).not.toContain('a&b');
  });
});
