import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { aMail } from '../../../builders/mail-builder';
import { FakeImapServer, type FakeImapOptions } from '../fake-imap-server';
import { decodeMailboxName, encodeMailboxName } from '../protocol/mailbox-name';
import { RawClient } from '../tools/raw-client';

describe('mailbox names in modified UTF-7', () => {
  it.each([
    ['INBOX', 'INBOX'],
    ['Rechnungen & mehr', 'Rechnungen &- mehr'],
    ['Büro', 'B&APw-ro'],
    ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'],
    ['€', '&IKw-'],
    ['a😀b', 'a&2D3eAA-b'],
  ])('writes %s as %s and reads it back', (name, encoded) => {
    expect(encodeMailboxName(name)).toBe(encoded);
    expect(decodeMailboxName(encoded)).toBe(name);
  });

  it.each(['a&b', '&AGE-', 'B\xfcro', '&U-', '&APw', 'a&APw-&APw-'])('rejects %s', (encoded) => {
    expect(decodeMailboxName(encoded)).toBeUndefined();
  });
});

describe('folders and mod-sequences', () => {
  let server: FakeImapServer;
  let client: RawClient;

  async function start(options: Partial<FakeImapOptions> = {}): Promise<void> {
    server = await FakeImapServer.start({ users: [{ user: 'u', password: 'p' }], ...options });
    client = await RawClient.open(server);
    await client.command('LOGIN u p');
  }

  afterEach(async () => {
    client?.close();
    client = undefined as unknown as RawClient;
    await server.stop();
  });

  const names = async (command: string) =>
    [...(await client.command(command)).matchAll(/^\* \w+ \([^)]*\) "." "(.*)"\r$/gm)].map(([, name]) => name);

  it('matches patterns: * anything, % one level, INBOX case-insensitively, the reference as a prefix', async () => {
    await start({ folders: ['Archiv/2025/alt', { path: 'Gesendet', specialUse: '\\Sent', subscribed: false }] });
    expect(await names('LIST "" *')).toEqual(['INBOX', 'Archiv', 'Archiv/2025', 'Archiv/2025/alt', 'Gesendet']);
    expect(await names('LIST "" %')).toEqual(['INBOX', 'Archiv', 'Gesendet']);
    expect(await names('LIST "" Archiv/%')).toEqual(['Archiv/2025']);
    expect(await names('LIST Archiv/ "*"')).toEqual(['Archiv/2025', 'Archiv/2025/alt']);
    expect(await names('LIST "" inbox')).toEqual(['INBOX']);
    expect(await names('LIST "" archiv')).toEqual([]);
    expect(await names('LSUB "" *')).not.toContain('Gesendet');
    expect(await names('LIST (SPECIAL-USE) "" *')).toEqual(['Gesendet']);
    expect(await client.command('LIST "" Archiv/2025 RETURN (SPECIAL-USE)')).toMatch(/\\Noselect \\HasChildren/);
    expect(await client.command('LIST "" ""')).toMatch(/^\* LIST \(\\Noselect\) "\/" ""\r\n/);
    expect(await client.command('EXAMINE Archiv')).toMatch(/^NO \[CANNOT\]/);
    expect(await client.command('EXAMINE Nirgends')).toMatch(/^NO \[NONEXISTENT\]/);
    expect(server.changes).toEqual([]);
  });

  it('flags a folder that LSUB lists only because folders below it are subscribed', async () => {
    const inbox = { path: 'INBOX', subscribed: false };
    await start({ folders: [inbox, 'INBOX/2026', { path: 'Archiv', subscribed: false }] });
    expect(await client.command('LSUB "" %')).toMatch(/^\* LSUB \(\\Noselect\) "\/" "INBOX"\r\nOK/);
    expect(await client.command('LSUB "" *')).toMatch(/^\* LSUB \(\) "\/" "INBOX\/2026"\r\nOK/);
    expect(await client.command('LIST "" INBOX')).toMatch(/^\* LIST \(\\HasChildren\) "\/" "INBOX"\r\nOK/);
  });

  it('leaves no mailbox open after a failed SELECT or EXAMINE', async () => {
    await start();
    await client.command('EXAMINE INBOX');
    await client.command('EXAMINE Nirgends');
    expect(await client.command('SEARCH ALL')).toMatch(/^BAD Not allowed when authenticated/);
  });

  it('reports only changes since a mod-sequence', async () => {
    await start();
    for (let count = 0; count < 3; count++) server.append('INBOX', aMail().build());
    const highest = Number(/HIGHESTMODSEQ (\d+)/.exec(await client.command('EXAMINE INBOX'))![1]);
    expect(await client.command(`UID FETCH 1:* (FLAGS) (CHANGEDSINCE ${highest})`)).toBe('OK UID FETCH completed');
    const other = await RawClient.open(server);
    await other.command('LOGIN u p');
    await other.command('SELECT INBOX');
    await other.command('STORE 2 +FLAGS (\\Flagged)');
    const changed = await client.command(`UID FETCH 1:* (FLAGS) (CHANGEDSINCE ${highest})`);
    expect(changed).toMatch(/^\* 2 FETCH \(UID 2 FLAGS \(\\Flagged \\Recent\) MODSEQ \(\d+\)\)\r\nOK/);
    expect(await client.command(`UID SEARCH MODSEQ ${highest + 1}`)).toMatch(/^\* SEARCH 2 \(MODSEQ \d+\)\r\n/);
    await other.command('STORE 1 +FLAGS.SILENT \\Seen');
    expect(await client.command('NOOP')).toMatch(
      /^\* 1 FETCH \(UID 1 FLAGS \(\\Seen \\Recent\) MODSEQ \(\d+\)\)\r\nOK/,
    );
    other.close();
  });

  it('rejects commands of extensions that it does not offer', async () => {
    await start({ without: ['CONDSTORE', 'SPECIAL-USE', 'NAMESPACE', 'UIDPLUS', 'ID', 'IDLE', 'UNSELECT'] });
    server.append('INBOX', aMail().build());
    expect(await client.command('EXAMINE INBOX')).not.toMatch(/MODSEQ/);
    const refused = ['FETCH 1 MODSEQ', 'SEARCH MODSEQ 1', 'NAMESPACE', 'UID EXPUNGE 1', 'ID NIL', 'IDLE', 'UNSELECT'];
    for (const command of [...refused, 'EXAMINE INBOX (CONDSTORE)', 'LIST (SPECIAL-USE) "" *']) {
      expect([command, (await client.command(command)).slice(0, 3)]).toEqual([command, 'BAD']);
    }
  });

  it('closes the connection of a client that sends plain text instead of TLS, and serves the next one', async () => {
    server = await FakeImapServer.start({ users: [{ user: 'u', password: 'p' }], tls: 'implicit' });
    const socket = connect(server.port, server.host);
    await once(socket, 'connect');
    socket.write('a LOGIN u p\r\n');
    socket.resume();
    await once(socket, 'close');
    const secure = connectTls({ port: server.port, host: server.host, ca: server.ca, servername: 'localhost' });
    const [greeting] = (await once(secure, 'data')) as [Buffer];
    expect(greeting.toString()).toMatch(/^\* OK /);
    secure.destroy();
    expect(server.commands).toEqual([]);
  });
});
