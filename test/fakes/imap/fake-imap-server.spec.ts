import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  ImapFlow,
  type FetchMessageObject,
  type ImapFlowOptions,
  type MessageStructureObject,
  type SearchObject,
} from 'imapflow';
import { aMail } from '../../builders/mail-builder';
import { lazyBytes } from '../../builders/mail-encoding';
import { FakeImapServer, type FakeImapOptions } from './fake-imap-server';

const USER = { user: 'anna@example.com', password: 'pass "with" \\ and ü' };

describe('FakeImapServer with imapflow', () => {
  let server: FakeImapServer;
  const clients: ImapFlow[] = [];

  async function start(options: Partial<FakeImapOptions> = {}): Promise<void> {
    server = await FakeImapServer.start({ users: [USER], ...options });
  }

  function client(options: Partial<ImapFlowOptions> = {}, tls: 'none' | 'starttls' | 'implicit' = 'none'): ImapFlow {
    const imap = new ImapFlow({
      host: server.host,
      port: server.port,
      secure: tls === 'implicit',
      doSTARTTLS: tls === 'starttls',
      tls: { ca: server.ca, servername: 'localhost' },
      auth: { user: USER.user, pass: USER.password },
      logger: false,
      disableAutoIdle: true,
      ...options,
    });
    imap.on('error', () => {});
    clients.push(imap);
    return imap;
  }

  async function connected(...args: Parameters<typeof client>): Promise<ImapFlow> {
    const imap = client(...args);
    await imap.connect();
    return imap;
  }

  afterEach(async () => {
    for (const imap of clients.splice(0)) imap.close();
    await server.stop();
  });

  it.each(['none', 'starttls', 'implicit'] as const)('logs in and out over tls %s', async (tls) => {
    await start({ tls });
    const imap = await connected({}, tls);
    expect(imap.secureConnection).toBe(tls !== 'none');
    await imap.logout();
    expect(server.commands).toEqual(expect.arrayContaining(['AUTHENTICATE', 'LOGOUT']));
  });

  it('fails the handshake with a client that does not trust its authority or expects another name', async () => {
    await start({ tls: 'implicit', certificate: { hosts: ['mail.example'] } });
    await expect(connected({ tls: { servername: 'mail.example' } }, 'implicit')).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    const options = { ca: server.ca, servername: 'localhost' };
    await expect(connected({ tls: options }, 'implicit')).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    const imap = await connected({ tls: { ca: server.ca, servername: 'mail.example' } }, 'implicit');
    expect(imap.usable).toBe(true);
  });

  it('presents an expired certificate', async () => {
    await start({
      tls: 'implicit',
      certificate: { notAfter: new Date('2026-01-01'), notBefore: new Date('2025-01-01') },
    });
    await expect(connected({}, 'implicit')).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });

  it('rejects a password before TLS', async () => {
    await start({ tls: 'starttls' });
    await expect(connected()).rejects.toThrow();
    expect(server.commands).not.toContain('EXAMINE');
  });

  it.each([[[]], [['AUTH=PLAIN']], [['AUTH=PLAIN', 'LITERAL+', 'CONDSTORE', 'NAMESPACE', 'ID', 'ENABLE', 'IDLE']]])(
    'works without %j, and rejects a wrong password',
    async (without: string[]) => {
      await start({ without });
      expect((await connected()).usable).toBe(true);
      const refused = connected({ auth: { user: USER.user, pass: 'wrong' } });
      await expect(refused).rejects.toMatchObject({
        authenticationFailed: true,
        serverResponseCode: 'AUTHENTICATIONFAILED',
      });
      expect(JSON.stringify(server.transcript)).not.toMatch(/wrong|pass/);
    },
  );

  it.each(['/', '.'])('lists a tree with delimiter %s', async (delimiter) => {
    const path = (...names: string[]) => names.join(delimiter);
    const folders = [
      { path: 'Gesendet', specialUse: '\\Sent' },
      path('Büro', 'Rechnungen & mehr'),
      path('Büro', '日本語'),
      path('INBOX', 'alt'),
    ];
    await start({ folders, delimiter });
    const imap = await connected();
    const list = await imap.list();
    const seen = Object.fromEntries(list.map((entry) => [entry.path, [...entry.flags].sort().join(' ')]));
    expect(seen).toEqual({
      INBOX: '\\HasChildren',
      [path('INBOX', 'alt')]: '\\HasNoChildren',
      Gesendet: '\\HasNoChildren \\Sent',
      Büro: '\\HasChildren \\Noselect',
      [path('Büro', 'Rechnungen & mehr')]: '\\HasNoChildren',
      [path('Büro', '日本語')]: '\\HasNoChildren',
    });
    expect(list.find(({ specialUse }) => specialUse === '\\Sent')?.path).toBe('Gesendet');
    expect(await imap.status(path('Büro', '日本語'), { messages: true })).toMatchObject({ messages: 0 });
    expect(await imap.status('Büro', { messages: true })).toBe(false);
    await expect(imap.mailboxOpen('Nirgends', { readOnly: true })).rejects.toMatchObject({ mailboxMissing: true });
  });

  it('returns every part of a nested message byte for byte and changes nothing', async () => {
    await start();
    const pdf = Buffer.concat([...lazyBytes(100_000).chunks()]);
    const attachment = (filename: string) => ({ content: pdf, mimeType: 'application/pdf', filename });
    const inner = aMail().subject('Weitergeleitet').attach(attachment('innen.pdf'));
    const logo = { content: pdf, mimeType: 'image/png', contentId: 'logo@x', filename: 'logo.png' };
    const mail = aMail().subject('Räume').from('j@x.example', 'Jörg').text('t').html('<b>h</b>').inline(logo);
    mail.attach({ ...attachment('Rechnung März.pdf'), nameStyle: 'rfc2231-continued' }).forward(inner, 'fwd.eml');
    server.append('INBOX', mail.build(), { internalDate: new Date('2026-01-01T00:30:00Z'), flags: ['\\Flagged'] });
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    const query = { envelope: true, bodyStructure: true, internalDate: true, flags: true, size: true, source: true };
    const message = (await imap.fetchOne('1', query, { uid: true })) as FetchMessageObject;
    expect(message.envelope).toMatchObject({ subject: 'Räume', from: [{ name: 'Jörg', address: 'j@x.example' }] });
    expect(message.internalDate).toEqual(new Date('2026-01-01T00:30:00Z'));
    expect(message.flags?.has('\\Flagged')).toBe(true);
    expect(message.source?.equals(mail.build())).toBe(true);
    expect(message.size).toBe(mail.build().length);
    const leaves: [part: string | undefined, type: string, name: string | undefined][] = [];
    const visit = (node: MessageStructureObject) => {
      if (!node.childNodes) leaves.push([node.part, node.type, node.dispositionParameters?.filename]);
      node.childNodes?.forEach(visit);
    };
    visit(message.bodyStructure!);
    expect(leaves).toEqual([
      ['1.1', 'text/plain', undefined],
      ['1.2.1', 'text/html', undefined],
      ['1.2.2', 'image/png', 'logo.png'],
      ['2', 'application/pdf', 'Rechnung März.pdf'],
      ['3.1', 'text/plain', undefined],
      ['3.2', 'application/pdf', 'innen.pdf'],
    ]);
    for (const part of ['1.2.2', '2', '3.2']) {
      const { content } = await imap.download('1', part, { uid: true });
      expect(Buffer.concat(await content!.toArray()).equals(pdf)).toBe(true);
    }
    expect(server.changes).toEqual([]);
  });

  it('streams a large attachment in many ranges', async () => {
    await start();
    const content = lazyBytes(12_000_000);
    server.append('INBOX', aMail().attach({ content, mimeType: 'application/zip' }).pieces());
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    const expected = createHash('sha256');
    for (const chunk of content.chunks()) expected.update(chunk);
    const { content: stream } = await imap.download('1', '2', { uid: true });
    const got = createHash('sha256');
    for await (const chunk of stream!) got.update(chunk as Buffer);
    expect(got.digest('hex')).toBe(expected.digest('hex'));
    expect(server.commands.filter((command) => command === 'UID FETCH').length).toBeGreaterThan(100);
  });

  it('searches by day in the time zone of the message, by header, and with NOT and OR', async () => {
    await start();
    const add = (subject: string, internalDate: string, zoneMinutes = 0) =>
      server.append('INBOX', aMail().subject(subject).messageId(`<${subject.length}@x>`).build(), {
        internalDate: new Date(internalDate),
        zoneMinutes,
      });
    add('Rechnung', '2026-02-28T23:30:00Z');
    add('Räumung', '2026-02-28T23:30:00Z', 60);
    add('x', '2026-03-02T00:00:00Z');
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    const search = (query: SearchObject) => imap.search(query, { uid: true });
    expect(await search({ since: '2026-03-01' })).toEqual([2, 3]);
    expect(await search({ before: '2026-03-02' })).toEqual([1, 2]);
    expect(await search({ subject: 'räum' })).toEqual([2]);
    expect(await search({ header: { 'message-id': '<8@x>' } })).toEqual([1]);
    expect(await search({ not: { subject: 'x' } })).toEqual([1, 2]);
    expect(await search({ or: [{ subject: 'x' }, { subject: 'Rech' }] })).toEqual([1, 3]);
    expect(await search({ from: 'supplier', seen: false, uid: '2:*' })).toEqual([2, 3]);
    expect(await search({ from: 'nobody' })).toEqual([]);
    expect(await search({ body: 'document attached' })).toEqual([1, 2, 3]);
  });

  it('assigns new UIDs to moved messages and rebuilt folders, and ends sessions that have a rebuilt folder open', async () => {
    await start({ folders: ['Archiv'] });
    for (let count = 0; count < 3; count++) server.append('INBOX', aMail().build());
    expect(server.move('INBOX', 2, 'Archiv')).toBe(1);
    server.expunge('INBOX', 1);
    const imap = await connected();
    const before = await imap.mailboxOpen('INBOX', { readOnly: true });
    expect(await imap.search({ all: true }, { uid: true })).toEqual([3]);
    const closed = once(imap, 'close');
    server.rebuild('INBOX');
    await imap.noop().catch(() => {});
    await closed;
    const after = await (await connected()).mailboxOpen('INBOX', { readOnly: true });
    expect(after.uidValidity).not.toBe(before.uidValidity);
    expect(after).toMatchObject({ exists: 1, uidNext: 2 });
  });

  it('reports new mail to an idling client immediately', async () => {
    await start();
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    const arrived = once(imap, 'exists');
    const idling = imap.idle();
    await server.waitForCommand('IDLE');
    server.append('INBOX', aMail().build());
    expect(await arrived).toEqual([expect.objectContaining({ count: 1 })]);
    imap.close();
    await idling;
  });

  it.each([
    [{ on: 'LOGIN', how: 'unavailable' }, { serverResponseCode: 'UNAVAILABLE' }],
    [{ on: 'LOGIN', how: 'no', code: 'LIMIT' }, { serverResponseCode: 'LIMIT' }],
    [{ on: 'LOGIN', how: 'close' }, { message: 'Unexpected close' }],
    [{ on: 'CONNECT', how: 'unavailable' }, {}],
    [{ on: 'CONNECT', how: 'close' }, {}],
  ] as const)('fails the login as configured: %j', async (spec, expected) => {
    await start();
    const fault = server.fail({ ...spec, times: 1 });
    await expect(connected()).rejects.toMatchObject(expected);
    expect(fault.hits).toBe(1);
    expect((await connected()).usable).toBe(true);
  });

  it('closes the connection during a download and counts the fault', async () => {
    await start();
    const content = lazyBytes(300_000);
    server.append('INBOX', aMail().attach({ content, mimeType: 'application/zip' }).pieces());
    const fault = server.fail({ on: 'FETCH', how: 'close', after: 1, times: 1, afterBytes: 1000 });
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    expect(await imap.fetchOne('1', { size: true })).toHaveProperty('size');
    await expect(imap.fetchOne('1', { source: true })).rejects.toThrow();
    await fault.struck();
    const again = await connected();
    await again.mailboxOpen('INBOX', { readOnly: true });
    expect(await again.fetchOne('1', { source: true })).toHaveProperty('source');
  });

  it('hangs until the client disconnects, and answers NO and BAD, as configured', async () => {
    await start();
    server.append('INBOX', aMail().build());
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    for (const how of ['no', 'bad'] as const) {
      const fault = server.fail({ on: 'FETCH', how });
      await expect(imap.fetchOne('1', { size: true })).rejects.toMatchObject({ responseStatus: how.toUpperCase() });
      fault.cancel();
    }
    const hanging = server.fail({ on: 'SEARCH', how: 'hang' });
    const search = imap.search({ all: true });
    await hanging.struck();
    imap.close();
    expect(await search).toBe(false);
  });

  it('fails a given number of commands, after a given number of others', async () => {
    await start();
    server.append('INBOX', aMail().build());
    const imap = await connected();
    await imap.mailboxOpen('INBOX', { readOnly: true });
    const fault = server.fail({ on: 'FETCH', how: 'no', after: 2, times: 3 });
    const outcomes: string[] = [];
    for (let count = 0; count < 7; count++) {
      const fetched = imap.fetchOne('1', { size: true });
      outcomes.push(
        await fetched.then(
          () => 'ok',
          () => 'no',
        ),
      );
    }
    expect(outcomes.join(' ')).toBe('ok ok no no no ok ok');
    expect(fault.hits).toBe(3);
  });

  it('closes the connection after a response that is shorter than the configured limit', async () => {
    await start();
    const imap = await connected();
    const closed = once(imap, 'close');
    server.fail({ on: 'STATUS', how: 'close', afterBytes: 10_000, times: 1 });
    expect(await imap.status('INBOX', { messages: true })).toMatchObject({ messages: 0 });
    await closed;
  });

  it('separates the mailboxes of users', async () => {
    const other = { user: 'b', password: 'b' };
    await start({ users: [USER, other] });
    server.append('INBOX', aMail().build(), {}, 'b');
    expect(await (await connected()).status('INBOX', { messages: true })).toMatchObject({ messages: 0 });
    const imap = await connected({ auth: { user: 'b', pass: 'b' } });
    expect(await imap.status('INBOX', { messages: true })).toMatchObject({ messages: 1 });
    server.changePassword('new', 'b');
    await expect(connected({ auth: { user: 'b', pass: 'b' } })).rejects.toMatchObject({ authenticationFailed: true });
  });
});
