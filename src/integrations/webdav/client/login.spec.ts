import { useWebdav } from '../../../../test/harness/connectors/use-webdav';
import { rejectionOf } from '../../../../test/harness/rejection-of';
import { GuardedNetwork } from '../../../platform/network/guarded-network';
import { AddressNotAllowed } from '../../../platform/network/network';
import { SelectionNotFound, InvalidCredentials, RateLimited, Transient } from '../../core/source-errors';
import { webdav } from '../webdav';

describe('Logging in to a WebDAV server', () => {
  const dav = useWebdav();

  it('distinguishes a rejected password from transient errors', async () => {
    expect(await rejectionOf(webdav.check(dav.session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    const challenge = (value: string) => ({ status: 401, headers: { 'www-authenticate': value } });
    const answers = [
      [challenge('Digest realm="x"'), Transient],
      [challenge('Digest realm="x", Basic realm="y"'), InvalidCredentials],
      [{ status: 429, headers: { 'retry-after': '17' } }, RateLimited],
      [{ status: 503 }, Transient],
      [{ status: 500 }, Transient],
      [{ status: 403 }, SelectionNotFound],
      [{ status: 404 }, SelectionNotFound],
      [{ status: 405 }, SelectionNotFound],
      [{ status: 200, body: '<html>Welcome</html>' }, SelectionNotFound],
    ] as const;
    for (const [fault, expected] of answers) {
      dav.server.fault = () => fault;
      const error = await rejectionOf(webdav.check(dav.session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe(17);
      expect(String(error)).not.toMatch(/right|Basic cmln/);
    }
  });

  it('requests the scheme over http before it sends credentials', async () => {
    await webdav.check(dav.session());
    const sent = dav.server.requests.map(({ authorization }) => authorization?.split(' ')[0]);
    expect(sent[0]).toBeUndefined();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.slice(1))).toEqual(new Set(['Basic']));
  });

  it('never sends the password to a server that supports Digest', async () => {
    const both = 'Basic realm="x", Digest realm="x", nonce="n", qop="auth"';
    dav.server.fault = () => ({ status: 401, headers: { 'www-authenticate': both } });
    expect(await rejectionOf(webdav.check(dav.session()))).toBeInstanceOf(InvalidCredentials);
    const sent = dav.server.requests.map(({ authorization }) => authorization?.split(' ')[0]);
    expect(sent[0]).toBeUndefined();
    expect(new Set(sent.slice(1))).toEqual(new Set(['Digest']));
  });

  it('does not connect to addresses that the network guard rejects', async () => {
    const closed = new GuardedNetwork({ allow: [] });
    expect(
      await rejectionOf(
        webdav.check(dav.session({ url: dav.server.origin.replace('localhost', '127.0.0.1') }, { through: closed })),
      ),
    ).toBeInstanceOf(AddressNotAllowed);
    expect(dav.server.requests).toEqual([]);
    await closed.close();
  });

  it('reports an unavailable server as transient', async () => {
    const away = dav.session();
    await dav.server.stop();
    expect(await rejectionOf(webdav.check(away))).toBeInstanceOf(Transient);
  });

  it('follows a redirect on the same server with the password, and never sends it to another one', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a');
    dav.server.fault = ({ path }) =>
      path === '/alt/' ? { status: 301, headers: { location: dav.server.base } } : undefined;
    expect((await dav.listed(dav.session({ url: `${dav.server.origin}/alt` }))).documents).toHaveLength(1);

    const foreignServer = await dav.start();
    foreignServer.put('a.pdf', '%PDF-1.7 foreign');
    dav.server.fault = () => ({ status: 302, headers: { location: `${foreignServer.origin}${foreignServer.base}` } });
    expect(await rejectionOf(webdav.check(dav.session()))).toBeInstanceOf(SelectionNotFound);
    // Nor when it requests none, or redirects back.
    foreignServer.fault = () => ({ status: 207, body: '<multistatus xmlns="DAV:"/>' });
    expect(await rejectionOf(webdav.check(dav.session()))).toBeInstanceOf(SelectionNotFound);
    foreignServer.fault = () => ({ status: 307, headers: { location: `${dav.server.origin}/zurück` } });
    dav.server.requests.splice(0);
    expect(await rejectionOf(webdav.check(dav.session()))).toBeInstanceOf(SelectionNotFound);
    expect(foreignServer.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
    expect(dav.server.requests.slice(1).every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('follows the redirect of a download without the password', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a');
    const store = await dav.start();
    store.fault = () => ({ status: 200, body: '%PDF-1.7 a' });
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    dav.server.fault = () => ({ status: 302, headers: { location: `${store.origin}/bucket/a?signature=x` } });
    expect((await dav.read(opened, documents[0]!)).toString()).toBe('%PDF-1.7 a');
    expect(store.requests).toMatchObject([{ path: '/bucket/a?signature=x', authorization: undefined }]);
  });
});
