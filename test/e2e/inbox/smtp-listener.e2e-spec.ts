import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { SmtpListener } from '../../../src/inbox/smtp/smtp-listener';
import { PurgeMails } from '../../../src/inbox/retention/purge-mails';
import { CertificateAuthority } from '../../harness/certificates';
import { createTestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { TestEngine } from '../../harness/engine/test-engine';
import { connectInbox, send, smtpPort, startInbox } from './inbox-setup';

/** An SMTP session by hand. */
class Session {
  private text = '';

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<Session> {
    const session = new Session(connectSocket(port, '127.0.0.1'));
    await session.reply(220);
    return session;
  }

  /** Resolves with the last line of the reply with this code. */
  async reply(code: number): Promise<string> {
    const line = new RegExp(`^${code} .*$`, 'm');
    await eventually(() => Promise.resolve(line.test(this.text)), `the reply ${code}`);
    const found = line.exec(this.text)!;
    this.text = this.text.slice(found.index + found[0].length);
    return found[0];
  }

  async command(line: string, code: number): Promise<string> {
    this.socket.write(`${line}\r\n`);
    return this.reply(code);
  }

  /** Sends the commands before the content. */
  async begin(to: string): Promise<void> {
    await this.command('EHLO mx.supplier.example', 250);
    await this.command('MAIL FROM:<billing@supplier.example>', 250);
    await this.command(`RCPT TO:<${to}>`, 250);
    await this.command('DATA', 354);
  }
}

const RAW = invoiceMail('a.pdf').build();

describe('The SMTP server', () => {
  let engine: TestEngine | undefined;
  afterEach(async () => {
    await engine?.stop();
    engine = undefined;
  });

  it('is off by default, and so is the integration', async () => {
    engine = await TestEngine.start({ role: 'api' });
    expect(engine.app.app.get(SmtpListener, { strict: false }).port).toBeNull();
    const client = await createTestClient(engine.app);
    const { body } = await client.request('get', '/v1/integrations/mail_inbox').expect(200);
    expect(body).toMatchObject({ data: { available: false } });
    const identity_uuid = await client.createIdentity();
    const connection = { integration_id: 'mail_inbox', name: 'Inbox', identity_uuid, fields: {} };
    await client.request('post', '/v1/connections').send(connection).expect(422);
  });

  it('does not listen in a worker, which reads what another process has received', async () => {
    engine = await startInbox({ role: 'worker' });
    expect(engine.app.app.get(SmtpListener, { strict: false }).port).toBeNull();
    const api = await startInbox({ role: 'api', databaseUrl: engine.app.databaseUrl });
    try {
      const client = await createTestClient(api.app);
      const { uuid, address } = await connectInbox(client);
      expect(await send(smtpPort(api.app), { to: address, raw: RAW })).toMatchObject({ code: 250 });
      const recorded = async () => (await api.transactions(uuid)).length === 1;
      await eventually(recorded, 'the worker has recorded the document', 5_000);
    } finally {
      await api.stop();
    }
  });

  it('offers STARTTLS with its certificate, and uses a renewed one without a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docfetch-smtp-'));
    const [smtpTlsCertificate, smtpTlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const authority = await CertificateAuthority.create();
    const write = async (name: string) => {
      const { cert, key } = await authority.issue(name);
      writeFileSync(smtpTlsCertificate, cert);
      writeFileSync(smtpTlsKey, key);
    };
    try {
      await write('mx.docfetch.test');
      engine = await startInbox({ role: 'api', settings: { smtpTlsCertificate, smtpTlsKey } });
      const port = smtpPort(engine.app);
      const subject = async () => {
        const session = await Session.open(port);
        await session.command('EHLO mx.supplier.example', 250);
        await session.command('STARTTLS', 220);
        const socket = connectTls({ socket: session.socket, rejectUnauthorized: false });
        await once(socket, 'secureConnect');
        const { subjectaltname } = socket.getPeerCertificate();
        socket.destroy();
        return subjectaltname;
      };
      expect(await subject()).toContain('mx.docfetch.test');
      await write('renewed.docfetch.test');
      await engine.app.app.get(SmtpListener, { strict: false }).reloadCertificate();
      expect(await subject()).toContain('renewed.docfetch.test');
      const { address } = await connectInbox(await createTestClient(engine.app));
      expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 250 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('knows no logins, and ends sessions that guess addresses', async () => {
    engine = await startInbox({ role: 'api' });
    const session = await Session.open(smtpPort(engine.app));
    await session.command('EHLO mx.supplier.example', 250);
    await session.command('AUTH LOGIN', 500);
    await session.command('MAIL FROM:<a@supplier.example>', 250);
    for (let n = 0; n < 5; n++) await session.command(`RCPT TO:<guess${n}@inbox.docfetch.test>`, 550);
    await session.command('RCPT TO:<guess@inbox.docfetch.test>', 421);
    await eventually(() => Promise.resolve(session.socket.readableEnded || session.socket.destroyed), 'it is closed');
  });

  it('limits the mails of one source, over all its sessions', async () => {
    engine = await startInbox({ role: 'api', settings: { mailRatePerSource: 3 } });
    const port = smtpPort(engine.app);
    const { address } = await connectInbox(await createTestClient(engine.app));
    const codes: number[] = [];
    for (let n = 0; n < 4; n++) codes.push((await send(port, { to: address, raw: RAW })).code);
    expect(codes).toEqual([250, 250, 250, 450]);
  });

  it('stores nothing of a mail whose client disappears', async () => {
    engine = await startInbox();
    const { uuid, address } = await connectInbox(await createTestClient(engine.app));
    const session = await Session.open(smtpPort(engine.app));
    await session.begin(address);
    session.socket.write(RAW.subarray(0, RAW.length / 2));
    session.socket.destroy();
    expect(await send(smtpPort(engine.app), { to: address, raw: RAW })).toMatchObject({ code: 250 });
    const one = engine;
    await eventually(async () => (await one.transactions(uuid)).length === 1, 'the whole mail is recorded');
    expect(await engine.count('select count(*) from inbox_mail')).toBe(1);
  });

  it('receives a mail to its end before it stops, and ends idle sessions', async () => {
    engine = await startInbox({ role: 'api' });
    const { address } = await connectInbox(await createTestClient(engine.app));
    const port = smtpPort(engine.app);
    const [busy, idle] = [await Session.open(port), await Session.open(port)];
    await busy.begin(address);
    busy.socket.write(RAW.subarray(0, RAW.length / 2));
    await idle.command('EHLO mx.supplier.example', 250);
    const stopped = engine.app.stop();
    await idle.reply(421);
    busy.socket.write(Buffer.concat([RAW.subarray(RAW.length / 2), Buffer.from('\r\n.\r\n')]));
    await busy.reply(250);
    await busy.reply(421);
    await stopped;
    expect(await engine.count('select count(*) from inbox_mail')).toBe(1);
    await engine.pool.end();
    engine = undefined;
  });
});

describe('The retention of received mails', () => {
  it('begins when their documents are recorded: they are removed like delivered documents', async () => {
    const engine = await startInbox();
    try {
      const { uuid, address } = await connectInbox(await createTestClient(engine.app));
      await send(smtpPort(engine.app), { to: address, raw: RAW });
      await eventually(async () => (await engine.transactions(uuid)).length === 1, 'the document is recorded');
      const purge = () => engine.app.app.get(PurgeMails, { strict: false }).purge();
      engine.app.clock.advance(8 * 24 * 3600);
      // The next fetch, which is due by now, reports the mail as processed.
      const processed = () =>
        engine.count('select count(processed_at) from inbox_mail where connection_uuid = $1', uuid);
      await eventually(async () => (await processed()) === 1, 'the mail is processed');
      expect(await purge()).toBe(0);
      engine.app.clock.advance(6 * 24 * 3600);
      expect(await purge()).toBe(0);
      engine.app.clock.advance(2 * 24 * 3600);
      expect(await purge()).toBe(1);
      expect(await engine.count('select count(*) from inbox_mail')).toBe(0);
      expect(await engine.count('select count(*) from content where owner_uuid = $1', uuid)).toBeLessThanOrEqual(1);
      expect(await engine.transactions(uuid)).toHaveLength(1);
    } finally {
      await engine.stop();
    }
  });
});
