import { fetch, request } from 'undici';
import { answering, closeGuardedNetworks, guarded, hello, serve } from '../../../test/harness/guarded-networks';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { AddressNotAllowed, isAddressNotAllowed } from './network';

closeGuardedNetworks();

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
    const error = await rejectionOf(guarded({ allow: [] }).connect(host, server.port));
    if (/^localhost/i.test(host)) expect(error).toMatchObject({ code: 'ENOTFOUND' });
    else expect(error).toBeInstanceOf(AddressNotAllowed);
    expect(server.connections()).toBe(0);
  });

  it.each(['fe80::1%lo', '127.0.0.1:80', 'user@localhost', ''])('rejects %j, which is not a host', async (host) => {
    expect(await rejectionOf(guarded().connect(host, 80))).toBeInstanceOf(AddressNotAllowed);
  });

  it.each([['10.0.0.1'], ['169.254.169.254'], ['fe80::1%2'], ['::ffff:192.168.0.1'], ['64:ff9b::a00:1']])(
    'reports a name that resolves to %s exactly like one that does not exist',
    async (address) => {
      const network = guarded({ lookup: answering(address) });
      const { dispatcher } = network;
      const resultOf = async (attempt: Promise<unknown>) => {
        const error = await rejectionOf<Error & { cause?: Error }>(attempt);
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
    expect(await rejectionOf(network.connect('documents.example', server.port))).toMatchObject({ code: 'ENOTFOUND' });
  });

  it('passes on errors of the resolver and the socket', async () => {
    const server = hello();
    const { port } = await serve(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await rejectionOf(guarded().connect('127.0.0.1', port))).toMatchObject({ code: 'ECONNREFUSED' });
    const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const lookup = jest.fn().mockRejectedValue(unknown);
    expect(await rejectionOf(guarded({ lookup }).connect('documents.example', port))).toBe(unknown);
  });

  it('fails after the timeout', async () => {
    const network = guarded({ lookup: () => new Promise(() => undefined), connectTimeout: 20 });
    expect(await rejectionOf(network.connect('documents.example', 80))).toMatchObject({ code: 'ETIMEDOUT' });
    expect(await rejectionOf(network.resolve('documents.example'))).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('stops immediately when aborted, before and while connecting', async () => {
    const controller = new AbortController();
    const lookup = jest.fn(() => {
      controller.abort(new Error('stop'));
      return new Promise<never>(() => undefined);
    });
    const network = guarded({ lookup });
    expect(await rejectionOf(network.connect('documents.example', 80, controller.signal))).toMatchObject({
      message: 'stop',
    });
    expect(await rejectionOf(network.connect('documents.example', 80, controller.signal))).toMatchObject({
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
    expect(await rejectionOf(network.resolve('localhost'))).toMatchObject({ code: 'ENOTFOUND' });
    expect(await rejectionOf(network.resolve('192.168.0.1'))).toBeInstanceOf(AddressNotAllowed);
  });
});
