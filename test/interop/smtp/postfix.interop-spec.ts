import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { connectInbox, INBOX_DOMAIN } from '../../e2e/inbox/inbox-setup';
import { eventually } from '../../harness/eventually';
import { invoiceMail, pdfBytes } from '../imap/invoice-mails';
import { sha256 } from '../imap/mailbox-session';
import { LIMIT_MIB, useMailService } from './mail-service';
import { Postfix } from './postfix';

const SENDER = 'billing@supplier.example';
/** Whom a mail names as its author, although somebody else has sent it. */
const FORGED_AUTHOR = 'somebody.else@supplier.example';

const service = useMailService();
let postfix: Postfix;
beforeAll(async () => {
  const { port, tls } = service;
  postfix = await Postfix.start({ relayPort: port, tls, mailboxes: [SENDER, FORGED_AUTHOR] });
});
afterAll(() => postfix?.stop());

/** What Postfix has logged about the deliveries to an address. */
const deliveries = async (address: string) =>
  (await postfix.log()).split('\n').filter((line) => line.includes(`to=<${address}>`));
const isQueueEmpty = () => eventually(async () => (await postfix.waiting()) === 0, 'the queue is empty', 30_000);
const setPolicy = (mailPolicy: 'DMARC' | 'REQUIRE') =>
  service.engine.app.app
    .get(UpdateEnvironment, { strict: false })
    .update('test', service.client.environmentUuid, { mailPolicy });
const refusedMail = () => invoiceMail('a.pdf').from(FORGED_AUTHOR).build();

describe('Postfix', () => {
  it('delivers mails over verified TLS, each once, with their bytes', async () => {
    const { uuid, address } = await connectInbox(service.client);
    const names = Array.from({ length: 20 }, (_, n) => `${n}.pdf`);
    await Promise.all(names.map((name) => postfix.submit(SENDER, address, invoiceMail(name).build())));
    const rows = await service.recorded(uuid, names.length);
    expect(rows.map((row) => row.sha256).sort()).toEqual(names.map((name) => sha256(pdfBytes(name))).sort());
    expect((await deliveries(address)).filter((line) => line.includes('status=sent'))).toHaveLength(names.length);
    expect((await postfix.log()).includes('Verified TLS connection established')).toBe(true);
  });

  it('delivers a large mail, and lines that begin with dots', async () => {
    const { uuid, address } = await connectInbox(service.client);
    const content = Buffer.from(`%PDF-1.7\r\n.\r\n..\r\n.x${'.'.repeat(50)}\r\n%%EOF\r\n`);
    const big = pdfBytes('big', 12_000_000);
    const dots = { content, filename: 'dots.pdf', mimeType: 'application/pdf', encoding: '7bit' } as const;
    const mail = invoiceMail(['big.pdf', big]).attach(dots);
    await postfix.submit(SENDER, address, mail.build());
    const rows = await service.recorded(uuid, 2);
    expect(rows.map((row) => row.sha256).sort()).toEqual([big, content].map(sha256).sort());
  });

  it.each<[string, RegExp, () => Promise<string>, Buffer]>([
    [
      'an address that never existed',
      /dsn=5\.1\.1, .*status=bounced .*550 5\.1\.1/,
      () => Promise.resolve(`nobody-abcdefghjkmn@${INBOX_DOMAIN}`),
      refusedMail(),
    ],
    [
      'the address of a deleted connection',
      /dsn=5\.1\.1, .*status=bounced .*550 5\.1\.1/,
      async () => {
        const { uuid, address } = await connectInbox(service.client);
        await service.client.request('delete', `/v1/connections/${uuid}`).expect(204);
        return address;
      },
      refusedMail(),
    ],
    [
      'a sender that is not allowed',
      /dsn=5\.7\.1, .*status=bounced .*550 5\.7\.1/,
      async () => (await connectInbox(service.client, { allowed_senders: 'shop.example' })).address,
      refusedMail(),
    ],
    [
      'a mail that is too large',
      /dsn=5\.3\.4, .*status=bounced/,
      async () => (await connectInbox(service.client)).address,
      invoiceMail(['big.pdf', Buffer.alloc(LIMIT_MIB * 1024 * 1024)])
        .from(FORGED_AUTHOR)
        .build(),
    ],
  ])('is refused %s at once, and tells its own user, not the author in the mail', async (_, reply, to, mail) => {
    const address = await to();
    await postfix.submit(SENDER, address, mail);
    const notices = async () => (await postfix.received(SENDER)).filter((text) => text.includes(address));
    const [notice] = await eventually(async () => {
      const all = await notices();
      return all.length > 0 && all;
    }, 'the sender is told');
    expect((await deliveries(address)).join('\n')).toMatch(reply);
    expect(/^From: .*$/m.exec(notice!)![0]).toContain('<MAILER-DAEMON@mx.supplier.example>');
    expect(await notices()).toHaveLength(1);
    expect(await postfix.received(FORGED_AUTHOR)).toEqual([]);
  });

  it.each<[string, RegExp, (uuid: string) => Promise<unknown>, (uuid: string) => Promise<unknown>]>([
    [
      'a connection is disabled',
      /status=deferred .*450 4\.2\.1/,
      (uuid) => service.client.request('put', `/v1/connections/${uuid}/disable`).expect(204),
      (uuid) => service.client.request('put', `/v1/connections/${uuid}/enable`).expect(204),
    ],
    [
      'senders have to be verified and name servers do not answer',
      /status=deferred .*451 4\.7\.0/,
      () => {
        service.nameServersAnswer = false;
        return setPolicy('REQUIRE');
      },
      () => {
        service.nameServersAnswer = true;
        return setPolicy('DMARC');
      },
    ],
  ])('tries again while %s, and loses nothing', async (_, reply, begin, end) => {
    const { uuid, address } = await connectInbox(service.client);
    await begin(uuid);
    try {
      await postfix.submit(SENDER, address, invoiceMail('a.pdf').build());
      await eventually(async () => reply.test((await deliveries(address)).join('\n')), 'the mail is deferred', 30_000);
      expect(await service.engine.transactions(uuid)).toEqual([]);
    } finally {
      await end(uuid);
    }
    await service.recorded(uuid, 1);
    await isQueueEmpty();
    expect((await deliveries(address)).filter((line) => line.includes('status=sent'))).toHaveLength(1);
    expect(await service.engine.transactions(uuid)).toHaveLength(1);
  });

  it('delivers to several addresses with different rules', async () => {
    const addresses = [
      await connectInbox(service.client),
      await connectInbox(service.client, { allowed_senders: 'supplier.example' }),
    ];
    const to = addresses.map(({ address }) => address).join(',');
    await postfix.submit(SENDER, to, invoiceMail('a.pdf').build());
    for (const { uuid } of addresses) await service.recorded(uuid, 1);
    await isQueueEmpty();
  });
});
