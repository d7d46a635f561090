import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { fetch, request } from 'undici';
import { answering, closeGuardedNetworks, guarded, hello, serve } from '../../../test/harness/guarded-networks';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { isAddressNotAllowed } from './network';

closeGuardedNetworks();

// A certificate for documents.example and localhost, valid until 2126, made for this file and used nowhere else.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVXRPwGbI8RXzTJKq
gwFmUm1bKdaa2Yz5mgdLAS0bfs6hRANCAASU46lxOCEqG+i2L2km5bsw61P8RSNv
YWoRa9tlbj6fGaet0rz0S8TTXINFzxR4vxTlRl8Nhn9OxChRNjsNn/eN
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrzCCAVagAwIBAgIUWV1VWfSf7LopMh4RuxW3Updp+GEwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNRG9jZmV0Y2ggdGVzdDAgFw0yNjExMjAxMjA1NTlaGA8yMTI2
MTAyNzEyMDU1OVowGDEWMBQGA1UEAwwNRG9jZmV0Y2ggdGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABJTjqXE4ISob6LYvaSbluzDrU/xFI29hahFr22VuPp8Z
p63SvPRLxNNcg0XPFHi/FOVGXw2Gf07EKFE2Ow2f942jfDB6MB0GA1UdDgQWBBQS
qb74a9OPUFzGGIIysuJeLfGsOTAfBgNVHSMEGDAWgBQSqb74a9OPUFzGGIIysuJe
LfGsOTAPBgNVHRMBAf8EBTADAQH/MCcGA1UdEQQgMB6CCWxvY2FsaG9zdIIRZG9j
dW1lbnRzLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgPQZ7E8f21VJNkUKNmHem
y28cmyq4AptCddCW2rUsMfMCICVzjjOVNHtOXlvAbj4UyDgjS/Bm0BnHmWpTdrj+
Hobe
-----END CERTIFICATE-----
`;

describe('GuardedNetwork.dispatcher', () => {
  it('sends requests to allowed servers and reuses the connection', async () => {
    const server = await serve(hello());
    const { dispatcher } = guarded();
    for (let i = 0; i < 20; i++) {
      const { body } = await request(`http://localhost:${server.port}/`, { dispatcher });
      expect(await body.text()).toBe('hello');
    }
    expect(server.connections()).toBeLessThanOrEqual(2); // a second one when the first is not yet read to its end
  });

  it.each(['127.0.0.1', '2130706433', '0177.1', '[::ffff:7f00:1]', '①②⑦.0.0.1', 'localhost', 'localhost.'])(
    'rejects http://%s when loopback is not allowed, with an error that is recognized inside undici’s',
    async (host) => {
      const server = await serve(hello());
      const { dispatcher } = guarded({ allow: [] });
      const url = `http://${host}:${server.port}/`;
      const errors = [await rejectionOf(request(url, { dispatcher })), await rejectionOf(fetch(url, { dispatcher }))];
      const isName = host.startsWith('localhost');
      expect(errors.map(isAddressNotAllowed)).toEqual([!isName, !isName]);
      expect(server.connections()).toBe(0);
    },
  );

  it('rejects https destinations too', async () => {
    const { dispatcher } = guarded({ lookup: answering('10.0.0.1') });
    for (const url of ['https://169.254.169.254/', 'https://[fd00:ec2::254]/']) {
      expect(isAddressNotAllowed(await rejectionOf(request(url, { dispatcher })))).toBe(true);
    }
    expect(await rejectionOf(request('https://documents.example/', { dispatcher }))).toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  it('is not misled by a Host header', async () => {
    const { dispatcher } = guarded({ allow: [], lookup: answering('8.8.8.8') });
    const attempt = request('http://127.0.0.1:9/', { dispatcher, headers: { host: 'documents.example' } });
    expect(isAddressNotAllowed(await rejectionOf(attempt))).toBe(true);
  });

  it('does not follow redirects', async () => {
    const paths: string[] = [];
    const { port } = await serve(
      createServer((incoming, response) => {
        paths.push(incoming.url ?? '');
        response.writeHead(302, { location: '/elsewhere' }).end();
      }),
    );
    const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}/`, {
      dispatcher: guarded().dispatcher,
    });
    await body.dump();
    expect([statusCode, headers.location, paths]).toEqual([302, '/elsewhere', ['/']]);
  });

  it('checks the target again when the caller follows a redirect itself', async () => {
    const inside = await serve(hello());
    const { port } = await serve(
      createServer((_, response) => response.writeHead(302, { location: `http://127.0.0.2:${inside.port}/` }).end()),
    );
    const { dispatcher } = guarded({ allow: ['127.0.0.1/32'] });
    expect(isAddressNotAllowed(await rejectionOf(fetch(`http://127.0.0.1:${port}/`, { dispatcher })))).toBe(true);
  });

  it('verifies the certificate and its name', async () => {
    const { port } = await serve(
      createTlsServer({ key: KEY, cert: CERTIFICATE }, (_, response) => response.end('safe')),
    );
    const lookup = answering('127.0.0.1');
    const get = (host: string, ca?: string): Promise<unknown> =>
      request(`https://${host}:${port}/`, { dispatcher: guarded({ lookup, ca }).dispatcher }).then(({ body }) =>
        body.text(),
      );
    expect(await get('documents.example', CERTIFICATE)).toBe('safe');
    expect(await get('documents.example.', CERTIFICATE)).toBe('safe');
    expect(await rejectionOf(get('documents.example'))).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(await rejectionOf(get('other.example', CERTIFICATE))).toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(await rejectionOf(get('127.0.0.1', CERTIFICATE))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('lets a running request end before it closes', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    const { port } = await serve(
      createServer((_, response) => {
        ask();
        void answer.then(() => response.end('whole'));
      }),
    );
    const network = guarded();
    const running = request(`http://127.0.0.1:${port}/`, { dispatcher: network.dispatcher }).then(({ body }) =>
      body.text(),
    );
    await asked;
    const closed = network.close();
    release();
    expect(await running).toBe('whole');
    await closed;
  });

  it('aborts requests that have not ended after the grace period', async () => {
    const server = createServer();
    const { port } = await serve(server);
    const network = guarded({ closeGrace: 1 });
    const running = rejectionOf(request(`http://127.0.0.1:${port}/`, { dispatcher: network.dispatcher }));
    await once(server, 'request');
    await network.close();
    expect(await running).toMatchObject({ message: 'The service is stopping.' });
  });

  it('rejects requests after it was closed', async () => {
    const { port } = await serve(hello());
    const network = guarded();
    await network.close();
    const error = await rejectionOf(request(`http://127.0.0.1:${port}/`, { dispatcher: network.dispatcher }));
    expect(error).toMatchObject({ code: expect.stringMatching(/^UND_ERR_(CLOSED|DESTROYED)$/) as string });
  });
});
