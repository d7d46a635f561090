import { parseOrigin, parseSecureOrigin } from './origins';

describe('An origin', () => {
  it.each([
    ['https://App.example.com', 'https://app.example.com'],
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ])('%s is normalized', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
    expect(parseSecureOrigin(text)).toBe(origin);
  });

  it.each(['', 'app.example.com', 'https://a.example/x', 'https://a.example?x', 'https://a.example/#x'])(
    'is not %j',
    (text) => expect(parseOrigin(text)).toBeNull(),
  );

  it.each(['https://me@a.example', 'ftp://a.example', 'javascript:alert(1)', 'null'])('is not %j either', (text) =>
    expect(parseOrigin(text)).toBeNull(),
  );

  it.each(['http://a.example', 'https://*.a.example', 'https://a.example;x'])('of a secure page is not %j', (text) =>
    expect(parseSecureOrigin(text)).toBeNull(),
  );
});
