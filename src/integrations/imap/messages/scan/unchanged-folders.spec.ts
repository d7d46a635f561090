import { FakeImapServer } from '../../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail } from '../../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession } from '../../../../../test/interop/imap/mailbox-session';
import type { Json } from '../../../core/source-document';
import { imap } from '../../imap';

const USER = { user: 'anna', password: 'right' };
const FOLDERS = ['INBOX', 'Archiv', 'Büro'];

let server: FakeImapServer;
afterEach(() => server.stop());

async function start(...without: string[]): Promise<void> {
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv', 'Büro'], without });
  for (const folder of FOLDERS) server.append(folder, invoiceMail(`${folder}.pdf`).build());
}

/** One fetch with its commands, except login and logout. */
async function fetched(cursor: Json, startdate: string | null = null) {
  const session = mailboxSession({
    fields: { host: 'localhost', port: server.port, security: 'NONE', ...USER },
    step2: { folders: FOLDERS },
  });
  const before = server.commands.length;
  const listing = await listAll(imap, session, cursor, startdate);
  await session.end();
  const around = ['CAPABILITY', 'AUTHENTICATE', 'LOGIN', 'ID', 'NAMESPACE', 'LOGOUT'];
  const commands = server.commands.slice(before).filter((command) => !around.includes(command));
  return { ...listing, names: listing.documents.map(({ filename }) => filename), commands };
}

describe.each([
  ['with CONDSTORE', []],
  ['without CONDSTORE', ['CONDSTORE']],
  ['with CONDSTORE, and no UIDNEXT', ['UIDNEXT']],
])('an unchanged folder on a server %s', (_, without) => {
  it('needs one STATUS and is not opened', async () => {
    await start(...without);
    const first = await fetched(null);
    expect(first.names).toHaveLength(3);
    const second = await fetched(first.cursor);
    expect(second).toMatchObject({ pages: 0, commands: ['STATUS', 'STATUS', 'STATUS'] });
    server.append('Archiv', invoiceMail('neu.pdf').build());
    const third = await fetched(second.cursor);
    expect(third.names).toEqual(['neu.pdf']);
    expect(third.commands.filter((command) => command === 'EXAMINE')).toHaveLength(1);
    expect((await fetched(third.cursor)).commands).toEqual(['STATUS', 'STATUS', 'STATUS']);
  });

  it('needs no more when all of its mails are older than the start date', async () => {
    await start(...without);
    const first = await fetched(null, '2999-01-01');
    expect(first.names).toEqual([]);
    expect((await fetched(first.cursor, '2999-01-01')).commands).toEqual(['STATUS', 'STATUS', 'STATUS']);
  });
});

it('a folder is opened when the server has neither UIDNEXT nor HIGHESTMODSEQ', async () => {
  await start('UIDNEXT', 'CONDSTORE');
  const first = await fetched(null);
  const second = await fetched(first.cursor);
  expect(second).toMatchObject({ names: [], pages: 0 });
  server.append('INBOX', invoiceMail('neu.pdf').build());
  expect((await fetched(second.cursor)).names).toEqual(['neu.pdf']);
});

it('a folder is opened when the server rejects STATUS', async () => {
  await start();
  const first = await fetched(null);
  server.append('INBOX', invoiceMail('neu.pdf').build());
  server.fail({ on: 'STATUS', how: 'no' });
  expect((await fetched(first.cursor)).names).toEqual(['neu.pdf']);
});

it('a rebuilt folder is scanned again, also with the same number of mails', async () => {
  await start();
  const first = await fetched(null);
  server.rebuild('Archiv');
  expect((await fetched(first.cursor)).names).toEqual(['Archiv.pdf']);
});
