import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { TestClock } from '../../../test/harness/app/test-clock';
import type { Settings } from '../../platform/config/settings';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import type { ProvisionedDocument } from '../../transactions/download/provisioned-document';
import { CONTENT_UNREADABLE, PushClient } from './push-client';
import { PushLimits } from '../shared/push-limits';

const PIECE = Buffer.alloc(256 * 1024, 'x');
const NO_FAULT = { reading: 0, error: null };
const SECRETS = [{ secret: 'whsec_c2VjcmV0', retiresAt: null }];

describe('A push', () => {
  let readings: number;
  let signedAt: string | string[] | undefined;
  let server: Server;
  let network: GuardedNetwork;
  /** The bytes received of each request, and whether it was complete. */
  let received: { bytes: number; whole: boolean }[];

  beforeEach(async () => {
    received = [];
    server = createServer((request, response) => {
      const one = { bytes: 0, whole: false };
      received.push(one);
      signedAt = request.headers['webhook-timestamp'];
      request
        .on('data', (bytes: Buffer) => (one.bytes += bytes.length))
        .on('error', () => undefined)
        .on('end', () => {
          one.whole = true;
          response.end();
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  });
  afterEach(async () => {
    await network.close();
    server.close();
  });

  /** Pushes a document of the given number of pieces. The first reading signs it, the second one sends it. */
  async function push(
    pieces: number,
    failing: { readonly reading: number; readonly error: Error | null },
    waiting = { seconds: 0, due: true },
  ) {
    const limits = new PushLimits({ pushConcurrency: 8 } as Settings);
    const clock = new TestClock();
    const sender = new PushClient(network, clock, limits);
    readings = 0;
    async function* content() {
      const reading = ++readings;
      for (let piece = 0; piece < pieces; piece++) {
        if (piece === pieces - 1 && reading === failing.reading && failing.error) throw failing.error;
        yield PIECE;
      }
    }
    const payload: ProvisionedDocument = {
      length: pieces * PIECE.length,
      stream: () => {
        throw new Error('A push takes parts.');
      },
      parts: (parts) => parts as AsyncGenerator<Buffer>,
      writeTo: async (memory, parts) => {
        let end = 0;
        for await (const part of parts) end += part.copy(memory, end);
        return end;
      },
    };
    const { port } = server.address() as AddressInfo;
    const target = { url: new URL(`http://127.0.0.1:${port}/`), headers: {} };
    const outgoing = sender.prepare({
      transactionUuid: 'a-transaction',
      environmentUuid: 'an-environment',
      secrets: SECRETS,
      payload,
      content,
      foundDueAt: clock.now(),
      isStillDue: async () => waiting.due,
    });
    await turn(); // by then it is prepared
    clock.advance(waiting.seconds);
    return sender.deliver(target, outgoing, new AbortController().signal);
  }

  const away = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

  it('is delivered completely', async () => {
    expect(await push(8, NO_FAULT)).toMatchObject({ status: 200, errorCode: null });
    expect(received).toEqual([{ bytes: 8 * PIECE.length, whole: true }]);
  });

  it('that was prepared recently reads its document once', async () => {
    expect(await push(2, NO_FAULT)).toMatchObject({ status: 200 });
    expect(readings).toBe(1);
  });

  it('that waits only briefly is sent without signing it again or reading its state', async () => {
    expect(await push(2, NO_FAULT, { seconds: 0.05, due: false })).toMatchObject({ status: 200 });
  });

  it('that has waited longer is signed again without reading its document again', async () => {
    const before = Math.floor(Date.now() / 1000);
    expect(await push(2, NO_FAULT, { seconds: 100, due: true })).toMatchObject({ status: 200 });
    expect(readings).toBe(1);
    expect(received[0]).toMatchObject({ whole: true });
    expect(Number(signedAt)).toBeGreaterThanOrEqual(before + 100);
  });

  it.each([
    ['a short one', 2, 1],
    ['a long one', 8, 0],
  ])('that is no longer due is not sent: %s', async (_, pieces, seconds) => {
    expect(await push(pieces, NO_FAULT, { seconds, due: false })).toBeNull();
    expect(received).toEqual([]);
  });

  it.each([
    ['a short one', 2, 1],
    ['a long one, before it is sent', 8, 1],
    ['a long one, while it is sent', 8, 2],
  ])(
    'whose document cannot be read completely is an error of the service, not of the endpoint: %s',
    async (_, pieces, reading) => {
      const error = new Error('This chunk has been changed.');
      const result = await push(pieces, { reading, error });
      expect(result).toMatchObject({ status: null, errorCode: CONTENT_UNREADABLE, internalError: error });
      expect(received.some(({ whole }) => whole)).toBe(false);
    },
  );

  it.each([
    ['a short one', 2, 1],
    ['a long one, before it is sent', 8, 1],
    ['a long one, while it is sent', 8, 2],
  ])(
    'whose document cannot be read because the database is unavailable is not an attempt: %s',
    async (_, pieces, reading) => {
      const error = away();
      await expect(push(pieces, { reading, error })).rejects.toBe(error);
      expect(received.some(({ whole }) => whole)).toBe(false);
    },
  );
});
