import { setTimeout as pause } from 'node:timers/promises';
import { ContentGarbageCollector } from '../../src/fetches/execution/content-garbage-collector';
import { createTestClient } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { freePort } from '../harness/free-port';
import { connectInbox, INBOX_DOMAIN, send } from '../e2e/inbox/inbox-setup';
import { TestEngine } from '../harness/engine/test-engine';
import { ServiceProcess } from '../e2e/start/service-process';
import { invoiceMail, pdfBytes } from '../interop/imap/invoice-mails';
import { sha256 } from '../interop/imap/mailbox-session';
import { seedOfRun, SeededRandom } from './campaigns/seeded-random';
import { MAILBOX_KILLS } from './campaigns/kills';
import { WORKER_KEYS } from './campaigns/worker-keys';

const KILLS = Math.ceil(MAILBOX_KILLS / 20);
/** Accepted mails between two kills, at most. */
const MAILS_PER_LIFE = 25;
const ADDRESSES = 3;
const SENDERS = 6;

describe('A process that receives mails and is killed (kill -9)', () => {
  it('makes documents of every accepted mail exactly once', async () => {
    const random = new SeededRandom(seedOfRun());
    // This process creates the connections; the one that is killed receives, fetches and records.
    const engine = await TestEngine.start({ role: 'api', settings: { inboxDomain: INBOX_DOMAIN } });
    const port = await freePort();
    const start = async () => {
      const started = await ServiceProcess.start('main', {
        ...WORKER_KEYS,
        ...{ DATABASE_URL: engine.app.databaseUrl, DATA_DIR: '/dev/null/docfetch', PORT: String(await freePort()) },
        ...{ INBOX_DOMAIN, SMTP_PORT: String(port), MAIL_RATE_PER_SOURCE: '1000000', MAIL_RATE_PER_ADDRESS: '1000000' },
      });
      return started.ready();
    };
    const client = await createTestClient(engine.app);
    const inboxes: { uuid: string; address: string }[] = [];
    for (let n = 0; n < ADDRESSES; n++) inboxes.push(await connectInbox(client));
    const expected = new Map(inboxes.map(({ uuid }) => [uuid, [] as string[]]));
    let accepted = 0;
    let attempts = 0;
    let next = 0;
    let isStopping = false;

    /** A mail server: it sends every mail until it is accepted. */
    const sendMails = async () => {
      while (!isStopping) {
        const number = next++;
        const { uuid, address } = inboxes[number % ADDRESSES]!;
        const names = [`${number} a.pdf`, `${number} b.pdf`].map(
          (name) => [name, pdfBytes(name, 2_000 + ((number * 7_919) % 300_000))] as const,
        );
        const raw = invoiceMail(...names).build();
        for (;;) {
          attempts++;
          const answer = await send(port, { to: address, raw }).catch(() => null);
          if (answer?.code === 250) break;
          await pause(50);
        }
        accepted++;
        expected.get(uuid)!.push(...names.map(([, content]) => sha256(content)));
      }
    };

    let service = await start();
    try {
      const senders = Promise.all(Array.from({ length: SENDERS }, sendMails));
      for (let kill = 1; kill <= KILLS; kill++) {
        const enough = accepted + random.between(1, MAILS_PER_LIFE);
        await eventually(() => Promise.resolve(accepted >= enough), `mails are accepted in life ${kill}`, 60_000);
        await pause(random.next() * 100);
        await service.kill('SIGKILL');
        // Instead of waiting for the end of the leases.
        await engine.rows('update connection set leased_until = now() where lease_token is not null');
        service = await start();
      }
      isStopping = true;
      await senders;
      for (const [uuid, hashes] of expected) {
        const recorded = async () =>
          (await engine.count('select count(*) from transaction where connection_uuid = $1', uuid)) >= hashes.length;
        await eventually(recorded, `the documents of ${uuid} are recorded`, 60_000);
        const rows = await engine.transactions(uuid);
        expect(rows.map((row) => row.sha256).sort()).toEqual([...hashes].sort());
      }
      const fetched = `select count(*) from inbox_mail m join connection c on c.uuid = m.connection_uuid
        where m.number > (c.cursor->>'number')::bigint`;
      await eventually(async () => (await engine.count(fetched)) === 0, 'all mails are read', 60_000);
      const mails = await engine.count('select count(*) from inbox_mail');
      // Mails whose answer was lost are stored twice, and recognized.
      expect(mails).toBeGreaterThanOrEqual(accepted);
      expect(mails - accepted).toBeLessThanOrEqual(KILLS * SENDERS);
      const seen = await engine.count(`select sum(seen) as count from "fetch" where status = 'SUCCEEDED'`);
      expect(seen).toBeGreaterThan(0);

      await service.kill('SIGTERM');
      engine.app.clock.advance(25 * 3600);
      await engine.app.app.get(ContentGarbageCollector, { strict: false }).collect();
      expect(await engine.count('select count(*) from content where attached_at is null')).toBe(0);
      expect(await engine.count('select count(*) from content')).toBe(2 * accepted + mails);
      process.stdout.write(
        `killed-inbox: ${KILLS} kills, ${accepted} mails accepted in ${attempts} attempts, ${mails - accepted} stored twice\n`,
      );
    } finally {
      isStopping = true;
      await service.kill('SIGKILL');
      await engine.stop();
    }
  }, 600_000);
});
