import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fetch, request } from 'undici';
import { defaultAllow } from './address-policy';
import { GuardedNetwork, type GuardedNetworkOptions } from './guarded-network';
import { AddressNotAllowed, isAddressNotAllowed } from './network';

const LOOPBACK = defaultAllow(false);
const opened: (GuardedNetwork | Server)[] = [];

function guarded(options: Partial<GuardedNetworkOptions> = {}): GuardedNetwork {
  const network = new GuardedNetwork({ allow: LOOPBACK, ...options });
  opened.push(network);
  return network;
}

/** A real server on 127.0.0.1 that counts connections. */
async function serve(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on('connection', () => connections++);
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const hello = (): Server => createServer((_, response) => response.end('hello'));
const answering = (...addresses: string[]) =>
  jest.fn(async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error,
  );

afterEach(async () => {
  for (const each of opened.splice(0)) {
    if (each instanceof GuardedNetwork) await each.close();
    else {
      each.closeAllConnections();
      each.close();
    }
  }
});

describe('GuardedNetwork.connect', () => {
  it('connects to an allowed address and to a name that the system resolves to one', async () => {
    const server = await serve(hello());
    for (const host of ['127.0.0.1', 'localhost', 'localhost.', '127.1']) {
      const socket = await guarded().connect(host, server.port);
      expect(socket.remoteAddress).toBe('127.0.0.1');
      socket.destroy();
    }
  });

  it.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST.',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '①②⑦.0.0.1',
    '::1',
    '0.0.0.0',
  ])('does not let %s reach a loopback server when loopback is not allowed', async (host) => {
    const server = await serve(hello());
    const error = await failure(guarded({ allow: [] }).connect(host, server.port));
    if (/^localhost/i.test(host)) expect(error).toMatchObject({ code: 'ENOTFOUND' });
    else expect(error).toBeInstanceOf(AddressNotAllowed);
    expect(server.connections()).toBe(0);
  });

  it.each(['fe80::1%lo', '127.0.0.1:80', 'user@localhost', ''])('rejects %j, which is not a host', async (host) => {
    expect(await failure(guarded().connect(host, 80))).toBeInstanceOf(AddressNotAllowed);
  });

  it.each([['10.0.0.1'], ['169.254.169.254'], ['fe80::1%2'], ['::ffff:192.168.0.1'], ['64:ff9b::a00:1']])(
    'reports a name that resolves to %s exactly like one that does not exist',
    async (address) => {
      const network = guarded({ lookup: answering(address) });
      const { dispatcher } = network;
      const resultOf = async (attempt: Promise<unknown>) => {
        const error = (await failure(attempt)) as Error & { cause?: Error };
        expect(isAddressNotAllowed(error)).toBe(false);
        return {
          ...error,
          message: error.message,
          cause: error.cause && { ...error.cause, message: error.cause.message },
        };
      };
      const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND documents.example'), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
        hostname: 'documents.example',
      });
      const nowhere = guarded({ lookup: () => Promise.reject(unknown) });
      expect(await resultOf(network.connect('documents.example', 443))).toEqual(
        await resultOf(nowhere.connect('documents.example', 443)),
      );
      expect(await resultOf(network.resolve('documents.example'))).toEqual(
        await resultOf(nowhere.resolve('documents.example')),
      );
      for (const ask of [request, fetch]) {
        expect(await resultOf(ask('https://documents.example/', { dispatcher }))).toEqual(
          await resultOf(ask('https://documents.example/', { dispatcher: nowhere.dispatcher })),
        );
      }
    },
  );

  it('tries only the allowed addresses of a name', async () => {
    const server = await serve(hello());
    const network = guarded({ lookup: answering('10.0.0.1', '127.0.0.1', 'fd00::1', '127.0.0.2') });
    const socket = await network.connect('documents.example', server.port);
    expect(socket.autoSelectFamilyAttemptedAddresses).toEqual([`127.0.0.1:${server.port}`]);
    socket.destroy();
  });

  it('connects to the checked address even if the name resolves to another one later', async () => {
    const server = await serve(hello());
    const lookup = answering('169.254.169.254');
    lookup.mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }]);
    const network = guarded({ lookup });
    const socket = await network.connect('documents.example', server.port);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(lookup).toHaveBeenCalledTimes(1);
    socket.destroy();
    expect(await failure(network.connect('documents.example', server.port))).toMatchObject({ code: 'ENOTFOUND' });
  });

  it('passes on errors of the resolver and the socket', async () => {
    const server = hello();
    const { port } = await serve(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(guarded().connect('127.0.0.1', port))).toMatchObject({ code: 'ECONNREFUSED' });
    const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const lookup = jest.fn().mockRejectedValue(unknown);
    expect(await failure(guarded({ lookup }).connect('documents.example', port))).toBe(unknown);
  });

  it('fails after the timeout', async () => {
    const network = guarded({ lookup: () => new Promise(() => undefined), connectTimeout: 20 });
    expect(await failure(network.connect('documents.example', 80))).toMatchObject({ code: 'ETIMEDOUT' });
    expect(await failure(network.resolve('documents.example'))).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('stops immediately when aborted, before and while connecting', async () => {
    const controller = new AbortController();
    const lookup = jest.fn(() => {
      controller.abort(new Error('stop'));
      return new Promise<never>(() => undefined);
    });
    const network = guarded({ lookup });
    expect(await failure(network.connect('documents.example', 80, controller.signal))).toMatchObject({
      message: 'stop',
    });
    expect(await failure(network.connect('documents.example', 80, controller.signal))).toMatchObject({
      message: 'stop',
    });
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  it('keeps an open connection when the signal is aborted later', async () => {
    const { port } = await serve(hello());
    const controller = new AbortController();
    const socket = await guarded().connect('127.0.0.1', port, controller.signal);
    controller.abort();
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain('hello');
  });
});

describe('GuardedNetwork.resolve', () => {
  it('returns an allowed address, IPv4 first, with the name for TLS', async () => {
    const network = guarded({ lookup: answering('2606:4700::1111', '10.0.0.1', '1.1.1.1') });
    const expected = { address: '1.1.1.1', family: 4, servername: 'documents.example' };
    expect(await network.resolve('Documents.Example.')).toEqual(expected);
  });

  it('returns the only allowed address', async () => {
    const network = guarded({ lookup: answering('10.0.0.1', '2606:4700::1111') });
    expect(await network.resolve('documents.example')).toMatchObject({ address: '2606:4700::1111', family: 6 });
  });

  it('resolves addresses to themselves and localhost through the system', async () => {
    expect(await guarded().resolve('[::1]')).toEqual({ address: '::1', family: 6, servername: '::1' });
    expect(['127.0.0.1', '::1']).toContain((await guarded().resolve('localhost')).address);
  });

  it('rejects names and addresses that are not allowed', async () => {
    const network = guarded({ allow: [] });
    expect(await failure(network.resolve('localhost'))).toMatchObject({ code: 'ENOTFOUND' });
    expect(await failure(network.resolve('192.168.0.1'))).toBeInstanceOf(AddressNotAllowed);
  });
});

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
      const errors = [await failure(request(url, { dispatcher })), await failure(fetch(url, { dispatcher }))];
      const isName = host.startsWith('localhost');
      expect(errors.map(isAddressNotAllowed)).toEqual([!isName, !isName]);
      expect(server.connections()).toBe(0);
    },
  );

  it('rejects https destinations too', async () => {
    const { dispatcher } = guarded({ lookup: answering('10.0.0.1') });
    for (const url of ['https://169.254.169.254/', 'https://[fd00:ec2::254]/']) {
      expect(isAddressNotAllowed(await failure(request(url, { dispatcher })))).toBe(true);
    }
    expect(await failure(request('https://documents.example/', { dispatcher }))).toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is not misled by a Host header', async () => {
    const { dispatcher } = guarded({ allow: [], lookup: answering('8.8.8.8') });
    const attempt = request('http://127.0.0.1:9/', { dispatcher, headers: { host: 'documents.example' } });
    expect(isAddressNotAllowed(await failure(attempt))).toBe(true);
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
    expect(isAddressNotAllowed(await failure(fetch(`http://127.0.0.1:${port}/`, { dispatcher })))).toBe(true);
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
    expect(await failure(get('documents.example'))).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(await failure(get('other.example', CERTIFICATE))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(await failure(get('127.0.0.1', CERTIFICATE))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
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
    const running = failure(request(`http://127.0.0.1:${port}/`, { dispatcher: network.dispatcher }));
    await once(server, 'request');
    await network.close();
    expect(await running).toMatchObject({ message: 'The service is stopping.' });
  });

  it('rejects requests after it was closed', async () => {
    const { port } = await serve(hello());
    const network = guarded();
    await network.close();
    const error = await failure(request(`http://127.0.0.1:${port}/`, { dispatcher: network.dispatcher }));
    expect(error).toMatchObject({ code: expect.stringMatching(/^UND_ERR_(CLOSED|DESTROYED)$/) as string });
  });
});

describe('isAddressNotAllowed', () => {
  const refused = new AddressNotAllowed('10.0.0.1');

  it('searches causes and aggregates', () => {
    expect(isAddressNotAllowed(new Error('a', { cause: new Error('b', { cause: refused }) }))).toBe(true);
    expect(isAddressNotAllowed(new AggregateError([new Error('a'), new Error('b', { cause: refused })]))).toBe(true);
  });

  it('is false for everything else, including circular causes', () => {
    const circle = new Error('a');
    circle.cause = new AggregateError([circle]);
    for (const other of [circle, new Error('a'), 'AddressNotAllowed', null, undefined, { cause: refused }]) {
      expect(isAddressNotAllowed(other)).toBe(false);
    }
  });
});

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
