import { setTimeout as pause } from 'node:timers/promises';
import { ContentGarbageCollector } from '../../src/fetches/execution/content-garbage-collector';
import { FakeImapServer } from '../fakes/imap/fake-imap-server';
import { Receiver } from '../fakes/receiver';
import { eventually } from '../harness/eventually';
import { invoiceMail, pdfBytes } from '../interop/imap/invoice-mails';
import { sha256 } from '../interop/imap/mailbox-session';
import { waitForAllDelivered, createPushClient } from '../e2e/provisioning/push/push-setup';
import { ServiceProcess } from '../e2e/start/service-process';
import { connect, TestEngine, connectSandbox } from '../harness/engine/test-engine';
import { freePort } from '../harness/free-port';
import { WORKER_KEYS } from './campaigns/worker-keys';

const KILLS = 3;
const MAILS = 100;

describe('A worker that is killed (kill -9) while it fetches and pushes', () => {
  it('loses and repeats nothing, however often it is killed', async () => {
    // This process is the API and creates the connections; workers are separate processes.
    const [api, receiver] = await Promise.all([TestEngine.start({ role: 'api' }), Receiver.start()]);
    const server = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] });
    const bytes = Array.from({ length: MAILS }, (_, n) => pdfBytes(`mail ${n}`, 20_000 + n));
    bytes.forEach((content, n) => server.append('INBOX', invoiceMail([`${n}.pdf`, content]).build()));
    const startWorker = async () =>
      ServiceProcess.start('main', {
        ...WORKER_KEYS,
        DATABASE_URL: api.app.databaseUrl,
        ROLE: 'worker',
        PORT: String(await freePort()),
        DATA_DIR: '/dev/null/docfetch',
      }).then((worker) => worker.ready());
    try {
      const client = await createPushClient(api, receiver.url());
      const portal = await connectSandbox(client, {
        scenario: 'slow',
        delay_ms: 15,
        documents: MAILS,
        new_per_fetch: 0,
        document_size_kb: 300,
      });
      const mailbox = await connect(client, 'imap', {
        host: 'localhost',
        port: server.port,
        security: 'NONE',
        user: 'anna',
        password: 'right',
      });
      const recorded = () => api.count('select count(*) from transaction');

      let before = 0;
      let middles = 0;
      for (let kill = 1; kill <= KILLS; kill++) {
        // Ends the dead worker's leases immediately; the last worker below waits for the timeout.
        await api.rows(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
        await api.rows('update connection set leased_until = now() where lease_token is not null');
        const worker = await startWorker();
        await eventually(async () => (await recorded()) > before, `documents are recorded in round ${kill}`);
        await pause(Math.random() * 150);
        const { signal } = await worker.kill('SIGKILL');
        expect(signal).toBe('SIGKILL');
        before = await recorded();
        if (before < 2 * MAILS) middles++;
      }
      expect(middles).toBe(KILLS);
      const orphans = 'select count(*) from content where attached_at is null';

      // The last worker takes over without manipulation of its predecessor's heartbeat and leases.
      const last = await startWorker();
      const ended = [await api.waitForFetches(portal, 1, 50_000), await api.waitForFetches(mailbox, 1, 50_000)];
      for (const all of ended) {
        expect(all).toHaveLength(1);
        expect(all[0]).toMatchObject({
          trigger: 'INITIAL',
          status: 'SUCCEEDED',
          seen: MAILS,
          new: MAILS,
          failed: 0,
          duplicate: 0,
        });
      }
      await waitForAllDelivered(api, client);

      const mails = await api.transactions(mailbox);
      expect(mails.map((row) => row.sha256).sort()).toEqual(bytes.map((content) => sha256(content)).sort());
      const documents = await api.transactions(portal);
      expect(documents).toHaveLength(MAILS);
      expect(new Set(documents.map(({ external_id }) => external_id)).size).toBe(MAILS);
      expect(server.changes).toEqual([]);

      // Every document arrived with its own bytes; those in transit at a kill may have arrived twice.
      const arrived = new Map<string, string>();
      for (const { body, headers } of receiver.whole) {
        const { document } = JSON.parse(body.toString('utf8')) as { document: { base64: string } };
        const uuid = String(headers['idempotency-key']);
        const hash = sha256(Buffer.from(document.base64, 'base64'));
        expect(arrived.get(uuid) ?? hash).toBe(hash);
        arrived.set(uuid, hash);
      }
      for (const row of [...mails, ...documents]) expect(arrived.get(row.uuid)).toBe(row.sha256);
      expect(receiver.requests.length).toBeLessThanOrEqual(2 * MAILS + KILLS * 8);

      await last.kill('SIGTERM');
      api.app.clock.advance(25 * 3600);
      await api.app.app.get(ContentGarbageCollector, { strict: false }).collect();
      expect(await api.count(orphans)).toBe(0);
      expect(await api.count('select count(*) from content')).toBe(2 * MAILS);
    } finally {
      await api.stop();
      await Promise.all([server.stop(), receiver.stop()]);
    }
  }, 600_000);
});
