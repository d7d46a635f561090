import { FakeImapServer, type FakeImapOptions } from '../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail } from '../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession } from '../../../../test/interop/imap/mailbox-session';
import type { Json } from '../../core/source-document';
import { SelectionNotFound } from '../../core/source-errors';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };
const SPECIAL = [
  { path: 'Entwürfe', specialUse: '\\Drafts' },
  { path: 'Werbung', specialUse: '\\Junk' },
  { path: 'Müll', specialUse: '\\Trash' },
  'Müll/Alt',
  { path: 'Gesendet', specialUse: '\\Sent' },
];

let server: FakeImapServer;
afterEach(() => server.stop());

/** Starts a mailbox with one document in each folder, named after it. */
async function start(folders: FakeImapOptions['folders'] = [], more: Partial<FakeImapOptions> = {}): Promise<void> {
  server = await FakeImapServer.start({ users: [USER], folders, ...more });
  for (const folder of ['INBOX', ...folders]) {
    const { path, selectable = true } = typeof folder === 'string' ? { path: folder } : folder;
    if (selectable) deliver(path);
  }
}

const deliver = (folder: string, name = `${folder.replaceAll('/', '-')}.pdf`) =>
  server.append(folder, invoiceMail(name).build());

const sessionOf = (step2: Record<string, unknown>) =>
  mailboxSession({ fields: { host: 'localhost', port: server.port, security: 'NONE', ...USER }, step2 });

async function fetched(step2: Record<string, unknown>, cursor: Json = null) {
  const session = sessionOf(step2);
  const before = server.commands.length;
  try {
    const listing = await listAll(imap, session, cursor);
    const names = listing.documents.map(({ filename }) => filename.replace('.pdf', ''));
    return { names, cursor: listing.cursor, commands: server.commands.slice(before) };
  } finally {
    await session.end();
  }
}

const ALL = { folder_scope: 'all' };
const BELOW = { folder_scope: 'selected', folders: ['Büro'], include_subfolders: true };

describe('all folders', () => {
  it('are those with mails, without drafts, spam and trash', async () => {
    await start(['Büro/2026', ...SPECIAL]);
    const { names } = await fetched(ALL);
    expect(names).toEqual(['INBOX', 'Gesendet', 'Büro-2026']);
    expect(server.changes).toEqual([]);
  });

  it('include folders that were added since, and nothing twice', async () => {
    await start(['Büro']);
    const first = await fetched(ALL);
    server.account().add({ path: 'Neu' });
    deliver('Neu');
    deliver('Büro', 'zweite.pdf');
    const second = await fetched(ALL, first.cursor);
    expect(second.names.sort()).toEqual(['Neu', 'zweite']);
    expect((await fetched(ALL, second.cursor)).names).toEqual([]);
  });

  it('are recognized by their names where the server does not mark them', async () => {
    await start(['Trash', 'Spam', 'Büro'], { without: ['SPECIAL-USE'] });
    expect((await fetched(ALL)).names).toEqual(['INBOX', 'Büro']);
  });

  it('end with the one that repeats the mails of all others', async () => {
    await start([{ path: 'Alles', specialUse: '\\All' }, 'Zuletzt']);
    expect((await fetched(ALL)).names).toEqual(['INBOX', 'Zuletzt', 'Alles']);
  });

  it('are fetched although one is deleted between the listing and the reading', async () => {
    await start(['Büro', 'Weg']);
    const session = sessionOf(ALL);
    const names: string[] = [];
    for await (const { documents } of imap.list(session, null, null)) {
      names.push(...documents.map(({ filename }) => filename));
      server.account().remove('Weg');
    }
    await session.end();
    expect(names).toEqual(['INBOX.pdf', 'Büro.pdf']);
  });
});

describe('selected folders', () => {
  it('are fetched without their subfolders, and without a listing', async () => {
    await start(['Büro', 'Büro/2026']);
    const { names, commands } = await fetched({ folders: ['Büro'] });
    expect(names).toEqual(['Büro']);
    expect(commands).not.toContain('LIST');
  });

  it('are fetched with their subfolders of every level, also later ones, but not with folders of a similar name', async () => {
    await start(['Büro', 'Büro/2026', 'Büro/2026/März', 'Büro-Archiv', 'Sonst']);
    const first = await fetched(BELOW);
    expect(first.names).toEqual(['Büro', 'Büro-2026', 'Büro-2026-März']);
    server.account().add({ path: 'Büro/2027' });
    deliver('Büro/2027');
    expect((await fetched(BELOW, first.cursor)).names).toEqual(['Büro-2027']);
  });

  it.each(['.', '/'])('leave out drafts, spam and trash below the inbox (delimiter %s)', async (delimiter) => {
    const below = (name: string) => `INBOX${delimiter}${name}`;
    await start([{ path: below('Papierkorb'), specialUse: '\\Trash' }, below('Rechnungen')], { delimiter });
    const { names } = await fetched({ folders: ['INBOX'], include_subfolders: true });
    expect(names).toEqual(['INBOX', below('Rechnungen').replace('/', '-')]);
  });

  it('include the trash with its subfolders when it is selected itself', async () => {
    await start(SPECIAL);
    expect((await fetched({ folders: ['Müll'], include_subfolders: true })).names).toEqual(['Müll', 'Müll-Alt']);
  });

  it('are reported when they are gone, after the others are fetched', async () => {
    await start(['Büro', 'Büro/2026']);
    const gone = fetched({ ...BELOW, folders: ['Weg', 'Büro'] });
    await expect(gone).rejects.toBeInstanceOf(SelectionNotFound);
    expect(server.transcript.filter(({ command }) => command === 'EXAMINE')).toHaveLength(3);
  });
});
