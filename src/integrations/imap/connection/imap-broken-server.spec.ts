import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { TamperingProxy } from '../../../../test/fakes/imap/tools/tampering-proxy';
import { invoiceMail, pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import {
  listAll,
  mailboxSession,
  type MailboxSession,
  read,
  sha256,
} from '../../../../test/interop/imap/mailbox-session';
import type { Json } from '../../core/source-document';
import { DocumentUnavailable, Transient } from '../../core/source-errors';
import { imap } from '../imap';

const USER = { user: 'anna@example.com', password: 'geheim' };

let server: FakeImapServer;
let proxy: TamperingProxy;
let session: MailboxSession;

type Tamper = (text: string) => string;

/** A real server whose responses or commands are modified in transit, to simulate defective servers. */
async function startTampered(answer: Tamper, command?: Tamper): Promise<void> {
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv'] });
  proxy = await TamperingProxy.start(server, { answer, ...(command && { command }) });
  const { port } = proxy;
  session = mailboxSession({ fields: { host: 'localhost', port, security: 'NONE', ...USER } });
}

/** An unsolicited response (RFC 9051 section 7): the user has read the mail. */
const FLAGS = '* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n';

afterEach(async () => {
  await session.end();
  await proxy.stop();
  await server.stop();
});

it('reports a mail with unreadable structure, and continues with others', async () => {
  await startTampered((answer) => answer.replace(/"kaputt\.pdf"\)/gi, '"kaputt.pdf" (((('));
  server.append('INBOX', invoiceMail('vorher.pdf').build());
  server.append('INBOX', invoiceMail('kaputt.pdf').subject('Rechnung 3/2026').build());
  server.append('INBOX', invoiceMail('nachher.pdf').build());
  const { documents, cursor } = await listAll(imap, session);
  expect(documents.map(({ filename }) => filename)).toEqual(['vorher.pdf', 'Rechnung 3_2026.eml', 'nachher.pdf']);
  expect(documents[1]?.metadata.source).toMatchObject({ kind: 'mail', subject: 'Rechnung 3/2026' });
  const outcomes = await Promise.allSettled(documents.map((ref) => read(imap, session, ref)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(DocumentUnavailable) });
  expect(outcomes[1]).toMatchObject({ reason: { permanent: true } });
  expect(await listAll(imap, session, cursor)).toMatchObject({ documents: [] });
});

it('finds the mails since the start date also when the server reports no valid date of one', async () => {
  await startTampered((answer) => answer.replace(/INTERNALDATE "[^"]*"/, 'INTERNALDATE "01-Foo-2026 00:00:00 +0000"'));
  server.append('INBOX', invoiceMail('a.pdf').build(), { internalDate: new Date('2026-11-20T12:00:00Z') });
  const { documents } = await listAll(imap, session, null, '2026-11-20');
  expect(documents.map(({ filename }) => filename)).toEqual(['a.pdf']);
  expect(documents[0]?.metadata.source).not.toHaveProperty('received_at');
});

it.each(['before', 'after'])(
  'lists mails once when additional flags of one arrive %s the requested ones',
  async (place) => {
    const flags = FLAGS.replace('1 FETCH (UID 1', '2 FETCH (UID 2');
    const isBefore = place === 'before';
    await startTampered((answer) =>
      answer.replace(isBefore ? /^\* 1 FETCH/m : /^\S+ OK [^\r]*FETCH/m, (found) => flags + found),
    );
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) server.append('INBOX', invoiceMail(name).build());
    const { documents } = await listAll(imap, session);
    expect(documents.map(({ filename }) => filename)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  },
);

describe('a large attachment', () => {
  const content = pdfBytes('groß', 3_000_000);

  async function arrives(tamper: Tamper, tamperCommand?: Tamper): Promise<Buffer> {
    await startTampered(tamper, tamperCommand);
    server.append('INBOX', invoiceMail(['gross.pdf', content]).build());
    const { documents } = await listAll(imap, session);
    return read(imap, session, documents[0]!);
  }

  it.each([0, 1, 3])('is complete when additional flags arrive before its part %d', async (nth) => {
    let before = 0;
    const got = await arrives((answer) =>
      /^\* 1 FETCH \(UID 1 BODY\[2\]</.test(answer) && before++ === nth ? FLAGS + answer : answer,
    );
    expect(before).toBeGreaterThan(3);
    expect(sha256(got)).toBe(sha256(content));
  });

  it.each([1_000, 0])('is complete when the server once returns %d bytes', async (bytes) => {
    let given = 0;
    const got = await arrives(
      (answer) => answer,
      (command) =>
        command.replace(/<1048576\.\d+>/, (range) =>
          given++ === 0 ? `<${bytes ? 1048576 : 9999999}.${bytes || 1}>` : range,
        ),
    );
    expect(given).toBeGreaterThan(0);
    expect(sha256(got)).toBe(sha256(content));
  });
});

it('reports a large attachment as unavailable when its mail is removed and the server returns nothing', async () => {
  // Like Courier until the folder is reopened.
  let isRemoved = false;
  await startTampered(
    (answer) => {
      const [, completed] = isRemoved ? (/(?:^|\r\n)(\S+ OK [^\r]*FETCH[^\r]*)\r\n$/.exec(answer) ?? []) : [];
      return completed === undefined ? answer : `* 1 FETCH (UID 1 BODY[2]<1048576> "")\r\n${completed}\r\n`;
    },
    (command) => {
      if (/<1048576\.\d+>/.test(command) && !isRemoved) {
        isRemoved = true;
        server.expunge('INBOX', 1);
        return command.replace(/<1048576\.\d+>/, '<9999999.1>');
      }
      if (/EXAMINE/.test(command)) isRemoved = false;
      return command;
    },
  );
  server.append('INBOX', invoiceMail(['gross.pdf', pdfBytes('groß', 3_000_000)]).build());
  const { documents } = await listAll(imap, session);
  await expect(read(imap, session, documents[0]!)).rejects.toMatchObject({ permanent: true });
});

it('reads the name that an old program wrote when additional flags arrive before it', async () => {
  await startTampered((answer) => answer.replace(/^\* 1 FETCH \(UID 1 BODY\[2\.MIME\]/im, (found) => FLAGS + found));
  const mail = invoiceMail('Rechnung Maerz.pdf').build().toString('latin1').replaceAll('Maerz', 'M\xe4rz');
  server.append('INBOX', Buffer.from(mail, 'latin1'));
  const { documents } = await listAll(imap, session);
  expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung März.pdf']);
});

it.each([
  ['opened', 'EXAMINE', 'no'],
  ['opened, as it says BAD', 'EXAMINE', 'bad'],
  ['searched', 'SEARCH', 'no'],
] as const)('lists the other folders when one cannot be %s, and that one later', async (_, on, how) => {
  await startTampered((answer) => answer);
  server.fail({ on, how, times: 1, code: 'SERVERBUG' });
  const both = Object.assign(session, { step2: { folders: ['INBOX', 'Archiv'] } });
  server.append('INBOX', invoiceMail('eingang.pdf').build());
  server.append('Archiv', invoiceMail('archiv.pdf').build());
  const found: string[] = [];
  let cursor: Json = null;
  const listing = async () => {
    for await (const page of imap.list(both, null, null)) {
      found.push(...page.documents.map(({ filename }) => filename));
      cursor = page.cursor;
    }
  };
  await expect(listing()).rejects.toThrow(Transient);
  expect(found).toEqual(['archiv.pdf']);
  const later = await listAll(imap, both, cursor);
  expect(later.documents.map(({ filename }) => filename)).toEqual(['eingang.pdf']);
});
