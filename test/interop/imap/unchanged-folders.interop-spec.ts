import { imap } from '../../../src/integrations/imap/imap';
import type { Json } from '../../../src/integrations/core/source-document';
import { FaultProxy } from '../../fakes/fault-proxy';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail } from './invoice-mails';
import { listAll, mailboxSession } from './mailbox-session';

const FOLDERS = ['INBOX', 'Büro', 'Büro/2026'];
const WITHOUT_CONDSTORE = 'IMAP4rev1 SASL-IR LITERAL+ ID ENABLE UNSELECT CHILDREN NAMESPACE UIDPLUS SPECIAL-USE';

let dovecot: Dovecot;
let proxy: FaultProxy;
let sent = '';

async function start(capability?: string): Promise<void> {
  dovecot = await Dovecot.start(capability === undefined ? {} : { capability });
  proxy = await FaultProxy.start({ host: '127.0.0.1', port: dovecot.port });
  proxy.onClientData((bytes) => (sent += bytes.toString('latin1')));
  for (const folder of FOLDERS) await dovecot.deliver(folder, invoiceMail(`${folder}.pdf`).build());
}

afterEach(async () => {
  await proxy?.stop();
  await dovecot?.stop();
});

/** One fetch, and its requests to the server about folders. */
async function fetched(cursor: Json) {
  const login = { host: dovecot.host, port: proxy.port, security: 'NONE', ...DOVECOT_USER };
  const session = mailboxSession({ fields: login, step2: { folders: FOLDERS } });
  sent = '';
  const listing = await listAll(imap, session, cursor);
  await session.end();
  const asked = sent.match(/^\S+ (STATUS|EXAMINE|SELECT|LIST|UID SEARCH|UID FETCH)\b.*$/gm) ?? [];
  return { ...listing, names: listing.documents.map(({ filename }) => filename), asked };
}

describe.each([
  ['with CONDSTORE', undefined, / HIGHESTMODSEQ/],
  ['without CONDSTORE', WITHOUT_CONDSTORE, /STATUS \S+ \((?!.*HIGHESTMODSEQ)/],
])('Dovecot %s', (_, capability, question) => {
  it('receives one request per folder when nothing is new, and opens only folders with new messages', async () => {
    await start(capability);
    const first = await fetched(null);
    expect(first.names).toHaveLength(3);
    const second = await fetched(first.cursor);
    expect(second).toMatchObject({ names: [], pages: 0 });
    expect(second.asked).toHaveLength(3);
    for (const line of second.asked) expect(line).toMatch(question);

    await dovecot.deliver('Büro/2026', invoiceMail('neu.pdf').build());
    const third = await fetched(second.cursor);
    expect(third.names).toEqual(['neu.pdf']);
    expect(third.asked.filter((line) => / EXAMINE /.test(line))).toHaveLength(1);
    expect((await fetched(third.cursor)).asked).toHaveLength(3);
  });

  it('is listed again when a folder was rebuilt', async () => {
    await start(capability);
    const first = await fetched(null);
    dovecot.rebuild('INBOX', 4_000_000_001);
    const second = await fetched(first.cursor);
    expect(second.names).toEqual(['INBOX.pdf']);
    expect(second.documents[0]!.dedupeKey).toBe(first.documents[0]!.dedupeKey);
  });
});
