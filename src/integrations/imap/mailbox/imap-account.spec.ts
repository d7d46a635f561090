import { FakeImapServer, type FakeImapOptions } from '../../../../test/fakes/imap/fake-imap-server';
import { mailboxSession, type MailboxSession } from '../../../../test/interop/imap/mailbox-session';
import { AddressNotAllowed } from '../../../platform/network/network';
import { GuardedNetwork } from '../../../platform/network/guarded-network';
import { InvalidCredentials, Transient } from '../../core/source-errors';
import { imap } from '../imap';
import { rejectionOf } from '../../../../test/harness/rejection-of';

const USER = { user: 'Anna@example.com', password: 'pass "with" \\ and ü' };

let server: FakeImapServer;
const sessions: MailboxSession[] = [];

async function start(options: Partial<FakeImapOptions> = {}): Promise<void> {
  server = await FakeImapServer.start({ users: [USER], ...options });
}

function session(step2: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): MailboxSession {
  const login = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
  const opened = mailboxSession({ fields: { ...login, ...fields }, step2 });
  sessions.push(opened);
  return opened;
}

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  await server.stop();
});

describe('check', () => {
  it('returns the account, independent of spelling', async () => {
    await start();
    const account = await imap.check(session());
    expect(account).toEqual({ id: 'anna@example.com@localhost', display: 'Anna@example.com' });
  });

  it('reports a wrong password as invalid credentials without secrets', async () => {
    await start();
    const error = await rejectionOf(imap.check(session({}, { password: 'geheim' })));
    expect(error).toBeInstanceOf(InvalidCredentials);
    expect(String(error) + JSON.stringify(error)).not.toContain('geheim');
  });

  it.each(['UNAVAILABLE', 'INUSE', 'LIMIT'])('reports [%s] at the login as transient', async (code) => {
    await start();
    server.fail({ on: 'LOGIN', how: 'no', code });
    expect(await rejectionOf(imap.check(session()))).toBeInstanceOf(Transient);
  });

  it('reports a disconnect during the login as transient', async () => {
    await start();
    server.fail({ on: 'LOGIN', how: 'close' });
    expect(await rejectionOf(imap.check(session()))).toBeInstanceOf(Transient);
  });

  it('reports an unavailable server as transient', async () => {
    await start();
    const opened = session();
    await server.stop();
    expect(await rejectionOf(imap.check(opened))).toBeInstanceOf(Transient);
    await start();
  });

  it('passes on AddressNotAllowed', async () => {
    await start();
    const network = new GuardedNetwork({ allow: [] });
    const closed = mailboxSession({ fields: { ...session().fields, host: '127.0.0.1' }, network });
    expect(await rejectionOf(imap.check(closed))).toBeInstanceOf(AddressNotAllowed);
    await network.close();
  });

  it('sends no password when STARTTLS is required and not offered', async () => {
    await start();
    expect(await rejectionOf(imap.check(session({}, { security: 'STARTTLS' })))).toBeInstanceOf(Transient);
    expect(server.commands).not.toContain('AUTHENTICATE');
    expect(server.commands).not.toContain('LOGIN');
  });

  it.each(['TLS', 'STARTTLS'])('does not trust an unknown authority with %s', async (security) => {
    await start({ tls: security === 'TLS' ? 'implicit' : 'starttls' });
    expect(await rejectionOf(imap.check(session({}, { security })))).toBeInstanceOf(Transient);
    expect(server.commands).not.toContain('AUTHENTICATE');
  });

  it('stops immediately when the session is aborted', async () => {
    await start();
    const hanging = server.fail({ on: 'LOGIN', how: 'hang' });
    const aborted = session();
    const outcome = rejectionOf(imap.check(aborted));
    await hanging.struck();
    aborted.controller.abort(new Error('disabled'));
    expect(await outcome).toMatchObject({ message: 'disabled' });
  });
});

describe('folders', () => {
  it('lists one level at a time, special-use folders with localized names', async () => {
    await start({
      folders: [
        { path: 'Papierkorb', specialUse: '\\Trash' },
        { path: 'Büro', selectable: false },
        'Büro/Rechnungen & mehr',
        'Büro/Rechnungen & mehr/2026',
      ],
    });
    const opened = session();
    const fields = await imap.step2?.(opened);
    const tree = fields?.find(({ id }) => id === 'folders');
    expect(tree).toMatchObject({ type: 'tree', multiple: true, required: true, default: ['INBOX'], hasMore: true });
    expect(tree?.options).toEqual([
      { value: 'INBOX', label: { en: 'Inbox', de: 'Posteingang' }, hasChildren: false },
      { value: 'Papierkorb', label: { en: 'Trash', de: 'Papierkorb' }, hasChildren: false },
      { value: 'Büro', label: 'Büro', hasChildren: true, selectable: false },
    ]);
    expect(await imap.options?.(opened, 'folders', 'Büro')).toEqual([
      { value: 'Büro/Rechnungen & mehr', label: 'Rechnungen & mehr', hasChildren: true },
    ]);
    expect(await imap.options?.(opened, 'folders', 'Büro/Rechnungen & mehr')).toEqual([
      { value: 'Büro/Rechnungen & mehr/2026', label: '2026', hasChildren: false },
    ]);
    expect(await imap.options?.(opened, 'folders', 'nicht da')).toEqual([]);
    expect(await imap.options?.(opened, 'folders', '*')).toEqual([]);
  });

  it('lists every folder with mails as selectable, subscribed or not', async () => {
    const [inbox, bills] = [
      { path: 'INBOX', subscribed: false },
      { path: 'INBOX.Rechnungen', subscribed: false },
    ];
    await start({ delimiter: '.', folders: [inbox, bills, 'INBOX.Rechnungen.2026'] });
    const opened = session();
    const tree = (await imap.step2?.(opened))?.find(({ id }) => id === 'folders');
    const options = [
      ...(tree?.options ?? []),
      ...(await imap.options!(opened, 'folders', 'INBOX')),
      ...(await imap.resolve!(opened, 'folders', ['INBOX', 'INBOX.Rechnungen'])),
    ];
    const names = options.map((option) => [option?.value, option?.selectable ?? true]);
    expect(names).toEqual([
      ['INBOX', true],
      ['INBOX.Rechnungen', true],
      ['INBOX', true],
      ['INBOX.Rechnungen', true],
    ]);
    expect(server.commands).not.toContain('LSUB');
  });

  it.each([0, 30])('resolves selected folders among %i others, and reports missing ones', async (others) => {
    const more = Array.from({ length: others }, (_, n) => `Ordner ${n}`);
    await start({ folders: ['Büro/Rechnungen & mehr', { path: 'Nur Ebene', selectable: false }, '100 %', ...more] });
    const chosen = ['INBOX', 'Büro/Rechnungen & mehr', 'weg', 'Nur Ebene', '100 %', '%', ...more];
    const [inbox, bills, gone, level, percent, pattern, ...rest] =
      (await imap.resolve?.(session(), 'folders', chosen)) ?? [];
    expect(inbox).toMatchObject({ value: 'INBOX', label: { en: 'Inbox', de: 'Posteingang' } });
    expect(bills).toMatchObject({ value: 'Büro/Rechnungen & mehr', label: 'Büro/Rechnungen & mehr' });
    expect([gone, pattern]).toEqual([null, null]);
    expect(level).toMatchObject({ selectable: false });
    expect(percent).toMatchObject({ value: '100 %' });
    expect(rest.map((option) => option?.value)).toEqual(more);
  });
});
