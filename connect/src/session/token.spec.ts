import { readToken, uiUrl } from './token';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  iss: 'https://docfetch.example.com',
  sub: 'i',
  return_url: 'https://app.example.com/größe',
  lang: 'de',
};

describe('readToken', () => {
  it('reads the members of a UI token', () => {
    expect(readToken(`h.${encoded(CLAIMS)}.s`)).toEqual(CLAIMS);
  });

  it.each(['', 'df_test_secret', 'a.b.c', `h.${encoded(null)}.s`, `h.${encoded({ ...CLAIMS, return_url: '' })}.s`])(
    'refuses %p without repeating it',
    (token) => {
      const read = () => readToken(token);
      expect(read).toThrow(new TypeError('token is not a UI token of POST /token.'));
    },
  );
});

describe('uiUrl', () => {
  it.each([
    ['https://docfetch.example.com', 'https://docfetch.example.com/ui?token=a.b-_.c'],
    ['https://example.com/docfetch/', 'https://example.com/docfetch/ui?token=a.b-_.c'],
  ])('is below %s', (base, expected) => expect(uiUrl(base, 'a.b-_.c').href).toBe(expected));

  it.each(['javascript:alert(1)//', 'data:text/html,', 'docfetch.example.com'])('refuses %s', (base) => {
    expect(() => uiUrl(base, 't')).toThrow(/URL/);
  });
});
