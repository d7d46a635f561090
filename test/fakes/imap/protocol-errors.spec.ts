import { aMail } from '../../builders/mail-builder';
import { lazyBytes } from '../../builders/mail-encoding';
import { FakeImapServer, type FakeImapOptions } from './fake-imap-server';
import { RawClient } from './tools/raw-client';

const MESSAGE = aMail()
  .messageId('<one@shop.example>')
  .subject('Rechnung')
  .text('Hallo\r\nWelt')
  .attach({ content: Buffer.from([0, 255, 13, 10, 10, 13, 0]), mimeType: 'application/pdf', encoding: 'binary' })
  .build();

describe('FakeImapServer with raw commands', () => {
  let server: FakeImapServer;
  const clients: RawClient[] = [];

  async function open(options: Partial<FakeImapOptions> = {}): Promise<RawClient> {
    server ??= await FakeImapServer.start({ users: [{ user: 'u', password: 'secret' }], ...options });
    const client = await RawClient.open(server);
    clients.push(client);
    return client;
  }

  async function loggedIn(options: Partial<FakeImapOptions> = {}): Promise<RawClient> {
    const client = await open(options);
    expect(await client.command('LOGIN u secret')).toMatch(/^OK /);
    return client;
  }

  async function examining(...messages: Parameters<FakeImapServer['append']>[1][]): Promise<RawClient> {
    const client = await loggedIn();
    for (const message of messages) server.append('INBOX', message, { internalDate: new Date('2026-03-01T00:00:00Z') });
    expect(await client.command('EXAMINE INBOX')).toMatch(/OK \[READ-ONLY\]/);
    return client;
  }

  afterEach(async () => {
    clients.splice(0).forEach((client) => client.close());
    await server.stop();
    server = undefined as unknown as FakeImapServer;
  });

  it.each([
    ['an unknown command', 'FROB'],
    ['no command', ''],
    ['two spaces', 'LOGIN  u secret'],
    ['a missing argument', 'LOGIN u'],
    ['an argument too many', 'NOOP x'],
    ['a trailing space', 'CAPABILITY '],
    ['an open quote', 'LOGIN u "secret'],
    ['FETCH before login', 'FETCH 1 UID'],
    ['EXAMINE before login', 'EXAMINE INBOX'],
    ['STARTTLS where it is not offered', 'STARTTLS'],
  ])('answers BAD to %s before login', async (_, command) => {
    expect(await (await open()).command(command)).toMatch(/^BAD /);
  });

  it.each([
    'FETCH 0 UID',
    'FETCH 2 UID',
    'FETCH 1: UID',
    'FETCH 1',
    'FETCH 1 ()',
    'FETCH 1 (ALL)',
    'FETCH 1 FOO',
    'FETCH 1 UID FLAGS',
    'FETCH 1 BODY[',
    'FETCH 1 BODY[0]',
    'FETCH 1 BODY[MIME]',
    'FETCH 1 BODY[1.]',
    'FETCH 1 BODY[HEADER.FIELDS]',
    'FETCH 1 BODY[HEADER.FIELDS ()]',
    'FETCH 1 BODY[]<0.0>',
    'FETCH 1 BODY[]<5>',
    'FETCH 1 BODY.PEEK',
    'UID FETCH 99999999999 UID',
    'UID NOOP',
    'SEARCH',
    'SEARCH FOO',
    'SEARCH ALL ',
    'SEARCH SINCE 31-Feb-2026',
    'SEARCH SINCE 2026-02-01',
    'SEARCH NOT',
    'SEARCH OR SEEN',
    'SEARCH (ALL',
    'SEARCH 2',
    'STATUS INBOX ()',
    'STATUS INBOX (FOO)',
    'STATUS "B\xfcro" (MESSAGES)',
    'STATUS "A&B" (MESSAGES)',
    'LIST "" ',
    'LIST INBOX',
    'EXAMINE INBOX (FOO)',
    'ENABLE CONDSTORE',
    'LOGIN u secret',
    'AUTHENTICATE PLAIN',
    'STORE 1 FLAGS',
  ])('answers BAD to %s in an open mailbox', async (command) => {
    const client = await examining(MESSAGE);
    expect(await client.command(command)).toMatch(/^BAD /);
    expect(await client.command('NOOP')).toMatch(/^OK /);
  });

  it('accepts 8-bit text in quotes only when configured to', async () => {
    const client = await open({ quoted8bit: false });
    expect(await client.command('LOGIN u "s\xc3\xa4cret"')).toMatch(/^BAD /);
    expect(await client.command('LOGIN u {7+}\r\ns\xc3\xa4cret')).toMatch(/^NO \[AUTHENTICATIONFAILED\]/);
    await server.stop();
    server = undefined as unknown as FakeImapServer;
    const lenient = await open();
    expect(await lenient.command('LOGIN u "s\xc3\xa4cret"')).toMatch(/^NO \[AUTHENTICATIONFAILED\]/);
  });

  it('answers an empty line with an untagged BAD and continues', async () => {
    const client = await open();
    await client.send('\r\n');
    expect(await client.line()).toMatch(/^\* BAD /);
    expect(await client.command('NOOP')).toMatch(/^OK /);
  });

  it('executes pipelined commands in order, however the bytes arrive', async () => {
    const client = await open();
    const text = 'a LOGIN {1}\r\nu {6}\r\nsecret\r\nb NOOP\r\nc EXAMINE INBOX\r\nd LOGOUT\r\n';
    for (const byte of text) await client.send(byte);
    expect([await client.line(), await client.line()]).toEqual([
      expect.stringMatching(/^\+ /),
      expect.stringMatching(/^\+ /),
    ]);
    for (const tag of ['a', 'b', 'c', 'd']) expect(await client.answer(tag)).toMatch(/OK /);
    await expect(client.line()).rejects.toThrow('closed');
  });

  it('accepts non-synchronizing literals only when it offers LITERAL+', async () => {
    const client = await open();
    expect(await client.command('LOGIN {1+}\r\nu {6+}\r\nsecret')).toMatch(/^OK /);
    await server.stop();
    server = undefined as unknown as FakeImapServer;
    const strict = await open({ without: ['LITERAL+'] });
    await strict.send('x LOGIN {1+}\r\nu secret\r\n');
    expect(await strict.answer('x')).toMatch(/^BAD /);
  });

  it('rejects a literal that is too long before it is sent', async () => {
    const client = await open();
    expect(await client.command('LOGIN {9000}')).toMatch(/^BAD /);
    expect(await client.command('LOGIN u secret')).toMatch(/^OK /);
  });

  it('closes a connection that sends an endless line', async () => {
    const client = await open();
    await client.send('x'.repeat(100_000));
    expect(await client.line()).toMatch(/^\* BYE /);
    await expect(client.line()).rejects.toThrow('closed');
  });

  it('rejects passwords before TLS, discards pipelined plain text, and accepts passwords after TLS', async () => {
    const client = await open({ tls: 'starttls' });
    expect(await client.command('CAPABILITY')).toMatch(/LOGINDISABLED STARTTLS\r\n/);
    expect(await client.command('LOGIN u secret')).toMatch(/^NO \[PRIVACYREQUIRED\]/);
    await client.send('a STARTTLS\r\nb LOGIN u secret\r\n');
    expect(await client.answer('a')).toMatch(/^OK /);
    await client.secure(server.ca);
    expect(await client.command('CAPABILITY')).toMatch(/AUTH=PLAIN\r\n/);
    expect(await client.command('EXAMINE INBOX')).toMatch(/^BAD /);
    expect(await client.command('LOGIN u secret')).toMatch(/^OK /);
  });

  it('authenticates with and without an initial response', async () => {
    const plain = (text: string) => Buffer.from(text).toString('base64');
    const client = await open();
    expect(await client.command(`AUTHENTICATE PLAIN ${plain('\0u\0wrong')}`)).toMatch(/^NO \[AUTHENTICATIONFAILED\]/);
    expect(await client.command(`AUTHENTICATE PLAIN ${plain('root\0u\0secret')}`)).toMatch(
      /^NO \[AUTHORIZATIONFAILED\]/,
    );
    expect(await client.command('AUTHENTICATE CRAM-MD5')).toMatch(/^NO /);
    await client.send('x AUTHENTICATE PLAIN\r\n');
    expect(await client.line()).toBe('+ ');
    await client.send('*\r\n');
    expect(await client.answer('x')).toMatch(/^BAD /);
    await client.send('y AUTHENTICATE PLAIN\r\n');
    await client.line();
    await client.send(`${plain('\0u\0secret')}\r\n`);
    expect(await client.answer('y')).toMatch(/^OK \[CAPABILITY /);
    expect(JSON.stringify(server.transcript)).not.toMatch(/secret|wrong|AHU/);
  });

  it('answers n:* with the newest message, however large n is, and unknown UIDs with no message', async () => {
    const client = await examining(MESSAGE, MESSAGE, MESSAGE);
    server.expunge('INBOX', 2);
    await client.command('NOOP');
    expect(await client.command('UID FETCH 100:* UID')).toBe('* 2 FETCH (UID 3)\r\nOK UID FETCH completed');
    expect(await client.command('UID FETCH *:2 UID')).toMatch(/^\* 2 FETCH \(UID 3\)\r\nOK/);
    expect(await client.command('FETCH * UID')).toMatch(/^\* 2 FETCH \(UID 3\)\r\nOK/);
    expect(await client.command('UID FETCH 2 UID')).toMatch(/^OK/);
    expect(await client.command('UID SEARCH UID 100:*')).toMatch(/^\* SEARCH 3\r\n/);
    server.expunge('INBOX', 1);
    server.expunge('INBOX', 3);
    await client.command('NOOP');
    expect(await client.command('UID FETCH 1:* UID')).toMatch(/^OK/);
  });

  it('defers expunges while sequence numbers are in use', async () => {
    const client = await examining(MESSAGE, MESSAGE);
    server.expunge('INBOX', 1);
    expect(await client.command('FETCH 2 UID')).toMatch(/^\* 2 FETCH \(UID 2\)\r\nOK/);
    expect(await client.command('FETCH 1 RFC822.SIZE')).toMatch(`* 1 FETCH (RFC822.SIZE ${MESSAGE.length})`);
    expect(await client.command('NOOP')).toMatch(/^\* 1 EXPUNGE\r\nOK/);
    expect(await client.command('FETCH 1 UID')).toMatch(/^\* 1 FETCH \(UID 2\)\r\nOK/);
  });

  const text = MESSAGE.toString('latin1');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const literal = (content: string) => `{${content.length}}\r\n${content}`;
  it.each([
    ['BODY.PEEK[]', `BODY[] ${literal(text)}`],
    ['BODY.PEEK[TEXT]', `BODY[TEXT] ${literal(body)}`],
    ['BODY.PEEK[HEADER]', `BODY[HEADER] ${literal(text.slice(0, text.indexOf('\r\n\r\n') + 4))}`],
    ['BODY.PEEK[1]', `BODY[1] ${literal('Hallo\r\nWelt')}`],
    ['BODY.PEEK[2]', `BODY[2] ${literal('\0\xff\r\n\n\r\0')}`],
    ['BODY.PEEK[2]<1.3>', `BODY[2]<1> ${literal('\xff\r\n')}`],
    ['BODY.PEEK[2]<5.100>', `BODY[2]<5> ${literal('\r\0')}`],
    ['BODY.PEEK[2]<7.1>', `BODY[2]<7> {0}\r\n`],
    ['BODY.PEEK[2]<4000000000.1>', `BODY[2]<4000000000> {0}\r\n`],
    ['BODY.PEEK[3]', 'BODY[3] ""'],
    ['BODY.PEEK[1.HEADER]', 'BODY[1.HEADER] ""'],
    [
      'BODY.PEEK[HEADER.FIELDS (subject message-ID x-none)]',
      `BODY[HEADER.FIELDS (SUBJECT MESSAGE-ID X-NONE)] ${literal('Subject: Rechnung\r\nMessage-ID: <one@shop.example>\r\n\r\n')}`,
    ],
    ['RFC822.SIZE', `RFC822.SIZE ${MESSAGE.length}`],
    ['INTERNALDATE', 'INTERNALDATE "01-Mar-2026 00:00:00 +0000"'],
  ])('answers %s byte by byte', async (item, expected) => {
    const client = await examining(MESSAGE);
    expect(await client.command(`FETCH 1 ${item}`)).toBe(`* 1 FETCH (${expected})\r\nOK FETCH completed`);
  });

  it('records only commands that change or would change the mailbox', async () => {
    const client = await examining(MESSAGE);
    await client.command('FETCH 1 BODY[]');
    await client.command('UID SEARCH ALL');
    await client.command('STATUS INBOX (UNSEEN)');
    expect(server.flags('INBOX', 1)).toEqual([]);
    expect(server.changes).toEqual([]);
    expect(await client.command('STORE 1 +FLAGS (\\Seen)')).toMatch(/^NO /);
    await client.command('SELECT INBOX');
    await client.command('FETCH 1 BODY.PEEK[]');
    expect(server.flags('INBOX', 1)).toEqual([]);
    expect(await client.command('FETCH 1 BODY[1]')).toMatch(/FLAGS \(\\Seen/);
    expect(server.flags('INBOX', 1)).toEqual(['\\Seen']);
    await client.command('COPY 1 INBOX');
    await client.command('STORE 1 FLAGS.SILENT \\Deleted');
    await client.command('EXPUNGE');
    await client.command('CREATE Neu');
    await client.command('MOVE 1 Neu');
    await client.command('APPEND INBOX {3+}\r\nx\r\n');
    expect(server.changes.map(({ command }) => command)).toEqual([
      'STORE',
      'SELECT',
      'FETCH',
      'COPY',
      'STORE',
      'EXPUNGE',
      'CREATE',
      'MOVE',
      'APPEND',
    ]);
    expect(server.status('INBOX')).toMatchObject({ messages: 2, uidNext: 4 });
  });

  it('generates no more of a lazy message than the client reads', async () => {
    let made = 0;
    const size = 200_000_000;
    const source = lazyBytes(size, () => 65);
    const counted = {
      size,
      *chunks() {
        for (const chunk of source.chunks()) {
          made += chunk.length;
          yield chunk;
        }
      },
    };
    const mail = aMail().attach({ content: counted, mimeType: 'application/zip', encoding: 'binary' });
    const client = await examining(mail.pieces());
    await client.send('x FETCH 1 BODY.PEEK[2]\r\n');
    expect(await client.line()).toBe(`* 1 FETCH (BODY[2] {${size}}`);
    expect((await client.take(5_000_000)).equals(Buffer.alloc(5_000_000, 65))).toBe(true);
    expect(made).toBeLessThan(size / 4);
  });
});
