import { setImmediate as turn } from 'node:timers/promises';
import { eventually } from '../../../../../test/harness/eventually';
import { FakeImapServer } from '../../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail, pdfBytes } from '../../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read } from '../../../../../test/interop/imap/mailbox-session';
import type { DocumentRef } from '../../../core/source-document';
import { Transient } from '../../../core/source-errors';
import { imap } from '../../imap';

const USER = { user: 'anna', password: 'right' };

let server: FakeImapServer;
let session: MailboxSession;

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER] });
  session = mailboxSession({
    fields: { host: 'localhost', port: server.port, security: 'NONE', ...USER },
  });
});

afterEach(async () => {
  await session.end();
  await server.stop();
});

const contentOf = (n: number) => pdfBytes(`Nr. ${n}`, 200_000);

/** Lists this number of mails with an attachment each. */
async function listed(count: number, content = contentOf): Promise<readonly DocumentRef[]> {
  for (let n = 0; n < count; n++) server.append('INBOX', invoiceMail([`${n}.pdf`, content(n)]).build());
  return (await listAll(imap, session)).documents;
}

const fetched = () =>
  server.transcript.filter(({ command }) => command === 'UID FETCH').map((entry) => entry.arguments);

it('opens a folder with one command', async () => {
  await listed(1);
  expect(server.commands.slice(-3)).toEqual(['EXAMINE', 'UID SEARCH', 'UID FETCH']);
  expect(server.commands).not.toContain('LIST');
  expect(server.commands).not.toContain('LSUB');
});

describe('several documents with one command', () => {
  it('are delivered one by one, also when the connection breaks permanently', async () => {
    const documents = await listed(3);
    server.fail({ on: 'FETCH', how: 'close', afterBytes: 350_000 });
    server.fail({ on: 'LOGIN', how: 'close' });
    const [first, ...others] = await Promise.allSettled(documents.map((ref) => read(imap, session, ref)));
    expect(first).toMatchObject({ status: 'fulfilled', value: contentOf(0) });
    for (const other of others) expect(other).toMatchObject({ reason: expect.any(Transient) });
  });

  it('are not fetched again after a broken connection', async () => {
    const documents = await listed(3);
    const before = fetched().length;
    server.fail({ on: 'FETCH', how: 'close', afterBytes: 350_000, times: 1 });
    expect(await Promise.all(documents.map((ref) => read(imap, session, ref)))).toEqual([0, 1, 2].map(contentOf));
    expect(fetched().slice(before)).toEqual([expect.stringMatching(/^1:3 /), expect.stringMatching(/^2:3 /)]);
  });

  it('have separate buffers, also when one is requested twice', async () => {
    const [document] = await listed(1);
    const twice = await Promise.all([document!, document!].map((ref) => read(imap, session, ref)));
    expect(twice).toEqual([contentOf(0), contentOf(0)]);
  });
});

it.each([
  ['whole', 700_000, 17],
  ['in chunks', 900_000, 16],
])('documents that are read %s stay within the memory limit', async (_, size, atOnce) => {
  const documents = await listed(20, (n) => pdfBytes(`Nr. ${n}`, size));
  const opened: Promise<Buffer[]>[] = [];
  const reading: (() => Promise<void>)[] = [];
  for (const ref of documents) {
    void imap.download(session, ref).then(({ stream }) => {
      reading.push(async () => void opened.push(stream.toArray()));
    });
  }
  await eventually(() => Promise.resolve(reading.length === atOnce), 'as many are open as may be');
  await imap.check(session);
  await turn();
  expect(reading).toHaveLength(atOnce);
  for (let n = 0; n < documents.length; n++) {
    await eventually(() => Promise.resolve(reading.length > n), 'the next one is open');
    await reading[n]!();
    await opened[n];
  }
  expect(reading).toHaveLength(documents.length);
});
