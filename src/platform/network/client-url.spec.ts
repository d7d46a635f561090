import { isClientUrl } from './client-url';

describe('isClientUrl', () => {
  it.each([
    'https://client.example',
    'https://client.example:8443/hooks?tenant=7',
    'HTTPS://client.example/',
    'http://localhost:4000/hooks',
    'http://app.localhost/',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/',
    'http://10.1.2.3/hooks',
    'http://client:4000/', // a neighbor in the same container network
    'http://client.internal/',
  ])('accepts %s', (url) => {
    expect(isClientUrl(url)).toBe(true);
  });

  it.each([
    'http://client.example/', // signed content would be sent unencrypted
    'http://93.184.216.34/',
    'http://[2606:4700::1]/',
    'https://user@client.example/',
    'https://user:secret@client.example/',
    'https://client.example/#part',
    'client.example/hooks',
    '/hooks',
    '//client.example/',
    'https:client.example',
    'ftp://client.example/',
    'javascript:alert(1)',
    'https://client.example/a b',
    'https://client.example\\hooks',
    'https://',
    '',
  ])('rejects %s', (url) => {
    expect(isClientUrl(url)).toBe(false);
  });
});
