import { returnUrlFault } from './return-url';

const ALLOWED = [
  'https://app.example.com',
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'http://app.example.com',
];

describe('returnUrlFault (contract 3)', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/deep/path?with=query&x=1#part',
    'https://APP.example.com:443/',
    'http://localhost:4000/x',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/',
  ])('allows %s', (url) => {
    expect(returnUrlFault(url, ALLOWED)).toBeNull();
  });

  it.each([
    'http://app.example.com/', // on the list, but http
    '/relative',
    '//app.example.com/',
    'app.example.com',
    'https://user@app.example.com/',
    'https://:secret@app.example.com/',
    'javascript:alert(1)//https://app.example.com',
    'data:text/html,x',
    'https://',
    'https:/\\x y',
    '',
  ])('finds no usable address in %s', (url) => {
    expect(returnUrlFault(url, ALLOWED)).toBe('INVALID_RETURN_URL');
  });

  it.each([
    'https://app.example.com.evil.example/',
    'https://evil.example/https://app.example.com',
    'https://evil.example/?x=https://app.example.com',
    'https://sub.app.example.com/',
    'https://example.com/',
    'https://app.example.com:8443/',
    'https://app.example.com./',
    'https://localhost:4000/',
    'http://localhost:4001/',
  ])('does not know the origin of %s', (url) => {
    expect(returnUrlFault(url, ALLOWED)).toBe('ORIGIN_NOT_ALLOWED');
  });

  it('allows nothing while nothing is registered', () => {
    expect(returnUrlFault('https://app.example.com/', [])).toBe('ORIGIN_NOT_ALLOWED');
  });
});
