import { imap } from '../../../src/integrations/imap/imap';
import type { Json } from '../../../src/integrations/core/source-document';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail } from './invoice-mails';
import { listAll, mailboxSession } from './mailbox-session';

let dovecot: Dovecot;
beforeEach(async () => {
  dovecot = await Dovecot.start();
  for (const [folder, name] of [
    ['INBOX', 'inbox'],
    ['Büro', 'büro'],
    ['Büro/Rechnungen & mehr', 'rechnungen'],
    ['Papierkorb', 'papierkorb'],
  ])
    await dovecot.deliver(folder!, invoiceMail(`${name}.pdf`).build());
});
afterEach(() => dovecot?.stop());

async function fetched(step2: Record<string, unknown>, cursor: Json = null) {
  const login = { host: dovecot.host, port: dovecot.port, security: 'NONE', ...DOVECOT_USER };
  const session = mailboxSession({ fields: login, step2 });
  const listing = await listAll(imap, session, cursor);
  await session.end();
  return { cursor: listing.cursor, names: listing.documents.map(({ filename }) => filename).sort() };
}

describe.each([
  ['all folders', { folder_scope: 'all' }, ['büro.pdf', 'inbox.pdf', 'rechnungen.pdf']],
  ['a folder with its subfolders', { folders: ['Büro'], include_subfolders: true }, ['büro.pdf', 'rechnungen.pdf']],
])('%s of a real server', (_, step2, expected) => {
  it('are fetched, also those that are added later, and nothing twice', async () => {
    const first = await fetched(step2);
    expect(first.names).toEqual(expected);
    await dovecot.deliver('Büro/2027/März', invoiceMail('neu.pdf').build());
    const second = await fetched(step2, first.cursor);
    expect(second.names).toEqual(['neu.pdf']);
    expect((await fetched(step2, second.cursor)).names).toEqual([]);
  });
});
