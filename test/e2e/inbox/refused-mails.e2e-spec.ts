import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import type { DnsRecords } from '../../../src/platform/network/addresses/dns-records';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { type TestEngine, updateFields } from '../../harness/engine/test-engine';
import { connectInbox, INBOX_DOMAIN, send, smtpPort, startInbox } from './inbox-setup';

/** TXT records of the domains of these tests; `away.example` has name servers that do not answer. */
const TXT: Readonly<Record<string, string>> = {
  'supplier.example': 'v=spf1 ip4:127.0.0.1 -all',
  'spoofed.example': 'v=spf1 -all',
  '_dmarc.spoofed.example': 'v=DMARC1; p=reject',
  'forwarder.example': 'v=spf1 ip4:127.0.0.1 -all',
};
const failing = (code: string) => Promise.reject(Object.assign(new Error(`query ${code}`), { code }));
const dns = {
  mailExchanges: () => Promise.resolve([]),
  services: () => Promise.resolve([]),
  records: (name: string, type: string) => {
    if (name.endsWith('away.example')) return failing('ETIMEOUT');
    const text = type === 'TXT' ? TXT[name] : undefined;
    return text === undefined ? failing('ENOTFOUND') : Promise.resolve([[text]]);
  },
} as unknown as DnsRecords;

let engine: TestEngine;
let client: TestClient;
let port: number;

beforeAll(async () => {
  engine = await startInbox({ dns, settings: { mailLimitMib: 1, mailRatePerAddress: 20 } });
  client = await createTestClient(engine.app);
  port = smtpPort(engine.app);
});
afterAll(() => engine.stop());

const RAW = invoiceMail('a.pdf').build();
const mailFrom = (address: string) => invoiceMail('a.pdf').from(address).build();
const stored = (uuid: string) => engine.count('select count(*) from inbox_mail where connection_uuid = $1', uuid);
const setPolicy = (mailPolicy: 'RECORD' | 'DMARC' | 'REQUIRE') =>
  engine.app.app.get(UpdateEnvironment, { strict: false }).update('test', client.environmentUuid, { mailPolicy });

describe('An address', () => {
  it.each(['nobody-abcdefghjkmn@inbox.docfetch.test', 'postmaster@inbox.docfetch.test'])(
    'that does not exist is refused before the content: %s',
    async (to) => {
      expect(await send(port, { to, raw: RAW })).toMatchObject({ code: 550, text: expect.stringContaining('5.1.1') });
    },
  );

  it('of another domain is refused: the service is no relay', async () => {
    for (const to of ['a@example.com', `a@sub.${INBOX_DOMAIN}`, `a@example.com@${INBOX_DOMAIN}x`]) {
      expect((await send(port, { to, raw: RAW })).code).toBeGreaterThanOrEqual(500);
    }
  });

  it('of a deleted connection or identity is refused', async () => {
    const { uuid, address } = await connectInbox(client);
    await client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 550 });
    const other = await connectInbox(client);
    const { body } = await client.request('get', `/v1/connections/${other.uuid}`).expect(200);
    const { identity_uuid } = (body as { data: { identity_uuid: string } }).data;
    await client.request('delete', `/v1/identities/${identity_uuid}`).expect(204);
    expect(await send(port, { to: other.address, raw: RAW })).toMatchObject({ code: 550 });
  });

  it('of a disabled connection is deferred, and accepted when it is enabled again', async () => {
    const { uuid, address } = await connectInbox(client);
    await client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 450 });
    await client.request('put', `/v1/connections/${uuid}/enable`).expect(204);
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 250 });
  });

  it('of an environment that is being moved is deferred, and accepted where it is served', async () => {
    const { uuid, address } = await connectInbox(client);
    const setFence = (fence: string | null) =>
      engine.rows('update environment set fence = $2 where uuid = $1', client.environmentUuid, fence);
    await setFence('MOVING');
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 451 });
    await setFence(null);
    expect(await stored(uuid)).toBe(0);
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 250 });
  });

  it('is limited in mails per minute', async () => {
    const { uuid, address } = await connectInbox(client);
    const codes: number[] = [];
    for (let n = 0; n < 21; n++) codes.push((await send(port, { to: address, raw: RAW })).code);
    expect(codes).toEqual([...Array<number>(20).fill(250), 450]);
    expect(await stored(uuid)).toBe(20);
    engine.app.clock.advance(61);
    expect((await send(port, { to: address, raw: RAW })).code).toBe(250);
  });
});

describe('A mail', () => {
  it('that is too large is refused, announced or not, and leaves nothing', async () => {
    const { uuid, address } = await connectInbox(client);
    const raw = invoiceMail(['big.pdf', Buffer.alloc(2 * 1024 * 1024)]).build();
    expect(await send(port, { to: address, raw })).toMatchObject({ code: 552 });
    expect(await stored(uuid)).toBe(0);
  });

  it('for several addresses with other rules is deferred for those: they get their own transaction', async () => {
    const [open, limited] = [
      await connectInbox(client),
      await connectInbox(client, { allowed_senders: 'supplier.example' }),
    ];
    const { accepted } = await send(port, { to: [open.address, limited.address], raw: RAW });
    expect(accepted).toEqual([open.address]);
    expect(await send(port, { to: limited.address, raw: RAW })).toMatchObject({ code: 250 });
  });

  it('of a sender that is not allowed is refused, whatever its envelope says', async () => {
    const { uuid, address } = await connectInbox(client, { allowed_senders: 'supplier.example, a@shop.example' });
    const answer = await send(port, { to: address, raw: mailFrom('b@shop.example'), from: 'x@supplier.example' });
    expect(answer).toMatchObject({ code: 550, text: expect.stringContaining('5.7.1') });
    expect(await stored(uuid)).toBe(0);
    expect(await engine.count('select count(*) from content where owner_uuid = $1', uuid)).toBe(0);
    expect(await send(port, { to: address, raw: mailFrom('A@Shop.example') })).toMatchObject({ code: 250 });
  });

  it('that an allowed mailbox forwards is accepted, and says so', async () => {
    const fields = { allowed_senders: 'supplier.example', forwarding_mailboxes: 'me@forwarder.example' };
    const { uuid, address } = await connectInbox(client, fields);
    const raw = mailFrom('billing@spoofed.example');
    expect(await send(port, { to: address, raw, from: 'other@forwarder.example' })).toMatchObject({ code: 550 });
    expect(await send(port, { to: address, raw, from: 'me+caf_=x@forwarder.example' })).toMatchObject({ code: 250 });
    const [row] = await eventually(async () => {
      const rows = await engine.transactions(uuid);
      return rows.length > 0 && rows;
    }, 'the document is recorded');
    expect(row!.metadata).toMatchObject({
      source: { authentication: { spf: 'PASS', dmarc: 'FAIL', forwarded_by: 'me@forwarder.example' } },
    });
  });

  it('that fails DMARC is refused if its domain asks for it, unless the environment records only', async () => {
    const { address } = await connectInbox(client);
    const mail = { to: address, raw: mailFrom('billing@spoofed.example'), from: 'billing@spoofed.example' };
    expect(await send(port, mail)).toMatchObject({ code: 550, text: expect.stringContaining('5.7.26') });
    await setPolicy('RECORD');
    expect(await send(port, mail)).toMatchObject({ code: 250 });
    await setPolicy('REQUIRE');
    expect(await send(port, mail)).toMatchObject({ code: 550 });
    const confirmed = { to: address, raw: mailFrom('billing@supplier.example'), from: 'billing@supplier.example' };
    expect(await send(port, confirmed)).toMatchObject({ code: 250 });
    await setPolicy('DMARC');
  });

  it('whose name servers do not answer is accepted, or deferred where authentication is required', async () => {
    const { uuid, address } = await connectInbox(client);
    const mail = { to: address, raw: mailFrom('billing@away.example'), from: 'billing@away.example' };
    expect(await send(port, mail)).toMatchObject({ code: 250 });
    const [row] = await eventually(async () => {
      const rows = await engine.transactions(uuid);
      return rows.length > 0 && rows;
    }, 'the document is recorded');
    expect(row!.metadata).toMatchObject({ source: { authentication: { spf: 'TEMPERROR', dmarc: 'TEMPERROR' } } });
    await setPolicy('REQUIRE');
    expect(await send(port, mail)).toMatchObject({ code: 451 });
    await setPolicy('DMARC');
  });

  it('is accepted by changed rules at once', async () => {
    const { uuid, address } = await connectInbox(client, { allowed_senders: 'shop.example' });
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 550 });
    await updateFields(client, uuid, { allowed_senders: 'shop.example, supplier.example' });
    expect(await send(port, { to: address, raw: RAW })).toMatchObject({ code: 250 });
  });
});
