import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { TamperingProxy } from '../../../../test/fakes/imap/tools/tampering-proxy';
import { listAll, mailboxSession } from '../../../../test/interop/imap/mailbox-session';
import { InvalidCredentials, Transient } from '../../core/source-errors';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'pass "with" \\ and ü' };
const CREDENTIALS = Buffer.from(`\0${USER.user}\0${USER.password}`).toString('base64');

let server: FakeImapServer;
let proxy: TamperingProxy;
/** What the client has sent, by piece of data. */
let sent: string[] = [];

const unchanged = (text: string): string => text;

/** `answer` and `received` modify what the server says and receives. */
async function start(without: readonly string[] = [], answer = unchanged, received = unchanged): Promise<void> {
  sent = [];
  server = await FakeImapServer.start({ users: [USER], without });
  const command = (text: string): string => {
    sent.push(text);
    return received(text);
  };
  proxy = await TamperingProxy.start(server, { command, answer });
}

afterEach(async () => {
  await proxy.stop();
  await server.stop();
});

function session(password = USER.password) {
  const fields = { host: 'localhost', port: proxy.port, security: 'NONE', ...USER, password };
  return mailboxSession({ fields });
}

/** What is sent by a fetch that finds nothing new. */
async function nothingNew(): Promise<string[]> {
  const first = session();
  const { cursor } = await listAll(imap, first);
  await first.end();
  await server.waitForCommand('LOGOUT');
  sent = [];
  const second = session();
  await listAll(imap, second, cursor);
  await second.end();
  await server.waitForCommand('LOGOUT', 2);
  const lines = sent.join('').split('\r\n').filter(Boolean);
  return lines.map((line) => line.replace(/^[0-9A-F]+ /, ''));
}

const ID = 'ID ID ("name" "Docfetch" "vendor" "Docfetch")';
const STATUS = 'STATUS INBOX (UIDNEXT UIDVALIDITY HIGHESTMODSEQ)';

it('needs one round trip for the login and sends ID together with the first command', async () => {
  await start();
  expect(await nothingNew()).toEqual([`AUTHENTICATE PLAIN ${CREDENTIALS}`, ID, STATUS, 'LOGOUT']);
  expect(sent).toHaveLength(3);
});

it('waits for the request of the credentials on a server without SASL-IR', async () => {
  await start(['SASL-IR']);
  expect(await nothingNew()).toEqual(['AUTHENTICATE PLAIN', CREDENTIALS, ID, STATUS, 'LOGOUT']);
});

it('answers a server that requests the credentials in spite of SASL-IR', async () => {
  // The server behind the proxy does not know the initial response, so the proxy takes it away.
  const withoutResponse = (text: string) => text.replace(/(AUTHENTICATE PLAIN) \S+/, '$1');
  await start(['SASL-IR'], (text) => text.replace('LITERAL+', 'LITERAL+ SASL-IR'), withoutResponse);
  expect(await nothingNew()).toEqual([`AUTHENTICATE PLAIN ${CREDENTIALS}`, CREDENTIALS, ID, STATUS, 'LOGOUT']);
});

it('sends no ID to a server that does not offer it', async () => {
  await start(['ID']);
  expect(await nothingNew()).toEqual([`AUTHENTICATE PLAIN ${CREDENTIALS}`, STATUS, 'LOGOUT']);
});

it('goes on when the server rejects ID', async () => {
  await start([], (text) => text.replace(/^ID OK/m, 'ID BAD'));
  expect(await nothingNew()).toContain(STATUS);
});

it('reports a wrong password', async () => {
  await start();
  await expect(imap.check(session('wrong'))).rejects.toBeInstanceOf(InvalidCredentials);
});

it('reports a login that has no mailbox, as on Exchange', async () => {
  await start([], (text) =>
    text
      .replace(/^\* NAMESPACE .*\r\n/m, '')
      .replace(/^(\d+) OK NAMESPACE.*/m, '$1 BAD User is authenticated but not connected.'),
  );
  await expect(imap.check(session())).rejects.toBeInstanceOf(Transient);
});
