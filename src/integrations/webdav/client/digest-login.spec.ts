import { digestChallenge, DigestLogin } from './digest-login';

describe('Digest login', () => {
  // RFC 7616 section 3.9.1.
  const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
  const OPAQUE = 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS';
  const OURS = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const challenge = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="${OPAQUE}"`;

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('answers like the example of RFC 7616 with %s', (algorithm, response) => {
    const login = new DigestLogin(digestChallenge(challenge(algorithm))!, 'Mufasa', 'Circle of Life', () => OURS);
    const header = login.header('GET', '/dir/index.html');
    expect(header).toContain(`response="${response}"`);
    expect(header).toContain('nc=00000001');
    expect(login.header('GET', '/dir/index.html')).toContain('nc=00000002');
  });

  it('answers like the corrected example of RFC 2069 when the server requests no protection', () => {
    const found = digestChallenge('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"')!;
    const header = new DigestLogin(found, 'Mufasa', 'CircleOfLife').header('GET', '/dir/index.html');
    expect(header).toContain('response="1949323746fe6a43ef61f9606e7febea"');
    expect(header).not.toContain('nc=');
  });

  it('selects the strongest supported challenge', () => {
    const both = `Basic realm="a, Digest b", ${challenge('MD5')}, ${challenge('SHA-256')}, Negotiate`;
    expect(digestChallenge(both)).toMatchObject({
      algorithm: 'SHA-256',
      realm: 'http-auth@example.org',
      isStale: false,
    });
    expect(digestChallenge([challenge('SHA-256'), challenge('MD5')])).toMatchObject({ algorithm: 'SHA-256' });
    expect(digestChallenge(`${challenge('MD5')}, stale=TRUE`)).toMatchObject({ isStale: true });
    expect(digestChallenge(challenge('SHA-512-256'))).toBeUndefined();
    expect(digestChallenge('Basic realm="x"')).toBeUndefined();
    expect(digestChallenge('Digest realm="x", nonce="y", qop="auth-int"')).toBeUndefined();
    expect(digestChallenge(undefined)).toBeUndefined();
  });
});
