import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { freePort } from '../../../harness/free-port';
import { invoiceMail } from '../../../interop/imap/invoice-mails';
import { sha256 } from '../../../interop/imap/mailbox-session';
import { isDelivered, createPushClient } from '../../provisioning/push/push-setup';
import { ServiceProcess } from '../../start/service-process';
import { connect, TestEngine } from '../../../harness/engine/test-engine';

const MIB = 1024 * 1024;
const SMALLER = 24 * MIB;
const SIZE = 80 * MIB;
/** Less than the difference in size. The exact memory is measured elsewhere. */
const ALLOWED_GROWTH = 45 * MIB;
/** Reports the peak memory of the process on a signal. */
const PROBE = `process.on('SIGUSR2', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS * 1024 + ';'))`;

const key = (fill: number) => `test:${Buffer.alloc(32, fill).toString('base64')}`;

describe('A document of 80 MiB', () => {
  it('uses no more memory than a smaller one, from the mailbox through the store to the client', async () => {
    const [engine, receiver, server] = await Promise.all([
      TestEngine.start({ role: 'api' }),
      Receiver.start(),
      FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] }),
    ]);
    const port = await freePort();
    const service = await ServiceProcess.start(
      'main',
      {
        DATABASE_URL: engine.app.databaseUrl,
        ENCRYPTION_KEYS: key(7),
        TOKEN_KEYS: key(9),
        PORT: String(port),
        DATA_DIR: '/dev/null/docfetch',
      },
      [],
      // As the image and `npm start` run it.
      [
        '--max-semi-space-size=8',
        '--heap-growing-percent=40',
        '--import',
        `data:text/javascript,${encodeURIComponent(PROBE)}`,
      ],
    );
    const peak = async (): Promise<number> => {
      const asked = service.stderr.length;
      service.child.kill('SIGUSR2');
      const output = await eventually(
        () => Promise.resolve(/peak (\d+);/.exec(service.stderr.slice(asked))?.[1]),
        'the service reports its memory',
      );
      return Number(output);
    };
    const pull = async (transaction: string, apiKey: string): Promise<{ hash: string; bytes: number }> => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { 'X-API-KEY': apiKey, Accept: 'application/octet-stream' };
        get(`http://127.0.0.1:${port}/v1/transactions/${transaction}/document`, { headers }, resolve).on(
          'error',
          reject,
        );
      });
      expect(answer.statusCode).toBe(200);
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of answer) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
      }
      return { hash: hash.digest('hex'), bytes };
    };
    try {
      await service.ready();
      const client = await createPushClient(engine, receiver.url());
      await engine.rows(
        'update environment set push_limit_bytes = $2 where uuid = $1',
        client.environmentUuid,
        2 * SIZE,
      );
      // A smaller document shows the base cost of streaming; only the size may make a difference.
      server.append('INBOX', invoiceMail(['smaller.bin', randomBytes(SMALLER)]).build());
      const uuid = await connect(client, 'imap', {
        host: 'localhost',
        port: server.port,
        security: 'NONE',
        user: 'anna',
        password: 'right',
      });
      await engine.waitForFetches(uuid, 1);
      for (const { uuid: transaction } of await engine.transactions(uuid)) {
        await engine.waitForTransaction(transaction, 'it is delivered', isDelivered);
        await pull(transaction, client.apiKey);
      }
      receiver.clear();
      const before = await peak();

      const content = randomBytes(SIZE);
      server.append('INBOX', invoiceMail(['large.bin', content]).build());
      await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
      const large = (await engine.transactions(uuid)).find(({ filename }) => filename === 'large.bin')!;
      expect(large).toMatchObject({ size: String(SIZE), sha256: sha256(content) });
      await engine.waitForTransaction(large.uuid, 'it is delivered', isDelivered);
      const [pushed] = receiver.whole;
      const base64 = pushed!.body.subarray(pushed!.body.indexOf('"base64":"') + 10);
      const received = Buffer.from(base64.subarray(0, base64.indexOf('"')).toString('latin1'), 'base64');
      expect(received.equals(content)).toBe(true);
      expect(await pull(large.uuid, client.apiKey)).toEqual({ hash: sha256(content), bytes: SIZE });

      const growth = (await peak()) - before;
      expect(growth).toBeLessThan(ALLOWED_GROWTH);
    } finally {
      await service.kill('SIGTERM');
      await engine.stop();
      await Promise.all([receiver.stop(), server.stop()]);
    }
  }, 120_000);
});
