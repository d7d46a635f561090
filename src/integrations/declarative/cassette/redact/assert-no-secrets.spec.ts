import { assertNoSecrets } from './assert-no-secrets';

const SECRET = 'sk_live/+ä"51H';
const base64 = (before: string, after: string) => Buffer.from(before + SECRET + after).toString('base64');

describe('A cassette with a secret', () => {
  it.each([
    ['as it is', SECRET],
    ['in an address', `https://acme.test/?key=${encodeURIComponent(SECRET)}`],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in base64', base64('', '')],
    ['in base64 after a user', base64('u:', ':p')],
    ['in base64 after a longer user', base64('us:', ':pa')],
    ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ])('%s is not written', (_, text) => {
    expect(() => assertNoSecrets(`{"a": "${text}"}`, ['other secret', SECRET])).toThrow('would contain a secret');
  });

  it('that is too short to be one, or with another one, is written', () => {
    expect(() => assertNoSecrets('{"a": "sk_live 51H"}', [SECRET, '51H', ''])).not.toThrow();
  });
});
