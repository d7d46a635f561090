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
import { DocumentUnavailable, Transient } from '../../core/source-errors';
import { imap } from '../imap';

const USER = { user: 'anna@example.com', password: 'geheim' };

let server: FakeImapServer;
let proxy: TamperingProxy;
let session: MailboxSession;
/** The fault of a FETCH. */
let fate: (fetch: Fetch) => 'refused' | 'cut' | undefined;
let struck: number;

interface Fetch {
  readonly uids: readonly number[];
  readonly items: string;
}

/** UIDs and sequence numbers are the same here: nothing has been deleted. */
function fetchIn(command: string): Fetch | undefined {
  const [, set, items] = /^\S+ (?:UID )?FETCH (\S+) (.*)/s.exec(command) ?? [];
  const uids = set?.split(',').flatMap((range) => {
    const [from, to = from] = range.split(':').map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, n) => from! + n);
  });
  return uids && { uids, items: items! };
}

const covers =
  (...bad: number[]) =>
  ({ uids }: Fetch): boolean =>
    bad.some((uid) => uids.includes(uid));

beforeEach(async () => {
  [fate, struck] = [() => undefined, 0];
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv'] });
  proxy = await TamperingProxy.start(server, {
    command: (command) => {
      const fetch = fetchIn(command);
      const how = fetch && fate(fetch);
      if (!how) return command;
      struck++;
      // Every server rejects this.
      return how === 'cut' ? null : command.replace(/^(\S+) .*/s, '$1 STATUS "there is none" (UIDNEXT)\r\n');
    },
  });
  const { port } = proxy;
  session = mailboxSession({
    fields: { host: 'localhost', port, security: 'NONE', ...USER },
    step2: { folders: ['INBOX', 'Archiv'] },
  });
});

afterEach(async () => {
  await session.end();
  await proxy.stop();
  await server.stop();
});

const arrive = (count: number, folder = 'INBOX'): void => {
  for (let n = 1; n <= count; n++) server.append(folder, invoiceMail(`${folder} ${n}.pdf`).build());
};

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `INBOX ${n + 1}.pdf`);

const outcomeOf = (reading: Promise<Buffer>): Promise<unknown> => reading.catch((error: unknown) => error);

describe('a mail that the server cannot read', () => {
  it.each(['refused', 'cut'] as const)('(its FETCH is %s) fails alone, and visibly', async (how) => {
    arrive(40);
    arrive(1, 'Archiv');
    fate = (fetch) => (fetch.uids.length < 41 && covers(5)(fetch) ? how : undefined);
    const { documents, cursor } = await listAll(imap, session);
    const names = numbered(40).with(4, 'mail.eml');
    expect(documents.map(({ filename }) => filename)).toEqual([...names, 'Archiv 1.pdf']);
    expect(await outcomeOf(read(imap, session, documents[4]!))).toMatchObject({
      name: DocumentUnavailable.name,
      permanent: true,
    });
    expect(await read(imap, session, documents[5]!)).toEqual(pdfBytes('INBOX 6.pdf'));
    expect(struck).toBeLessThan(25);
    expect(await listAll(imap, session, cursor)).toMatchObject({ documents: [] });
  });

  it('with readable headers is named by its subject', async () => {
    arrive(2);
    server.append('INBOX', invoiceMail('x.pdf').subject('Rechnung 4711').build());
    fate = (fetch) => (covers(3)(fetch) && /STRUCTURE|\[\]/.test(fetch.items) ? 'refused' : undefined);
    const { documents } = await listAll(imap, session);
    expect(documents.map(({ filename }) => filename)).toEqual([...numbered(2), 'Rechnung 4711.eml']);
  });

  it('is a separate document, also with filters', async () => {
    arrive(5);
    fate = (fetch) => (covers(2, 3)(fetch) ? 'refused' : undefined);
    const filtering = Object.assign(session, { step2: { sender_filter: 'nobody@example.com' } });
    const { documents } = await listAll(imap, filtering);
    expect(documents.map(({ filename }) => filename)).toEqual(['mail.eml', 'mail.eml']);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it.each([
    ['small', 2_000],
    ['large', 3_000_000],
  ])('does not affect other documents and is retried later (%s)', async (_, size) => {
    const contents = Array.from({ length: 5 }, (__, n) => pdfBytes(String(n), size));
    for (const content of contents) server.append('INBOX', invoiceMail(['a.pdf', content]).build());
    const { documents } = await listAll(imap, session);
    fate = (fetch) => (covers(2)(fetch) ? 'refused' : undefined);
    const outcomes = await Promise.all(documents.map((ref) => outcomeOf(read(imap, session, ref))));
    expect(outcomes[1]).toMatchObject({ name: DocumentUnavailable.name, permanent: false });
    const others = outcomes.toSpliced(1, 1) as Buffer[];
    expect(others.map(sha256)).toEqual(contents.toSpliced(1, 1).map(sha256));
  });
});

describe('a server that reads no mail', () => {
  it.each(['refused', 'cut'] as const)('(FETCH is %s) counts as down without a request per mail', async (how) => {
    arrive(40);
    fate = () => how;
    await expect(listAll(imap, session)).rejects.toThrow(Transient);
    expect(struck).toBeLessThan(10);
  });

  it('any more does not lose documents', async () => {
    arrive(20);
    const { documents } = await listAll(imap, session);
    fate = () => 'refused';
    const outcomes = await Promise.all(documents.map((ref) => outcomeOf(read(imap, session, ref))));
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(Transient);
    expect(struck).toBeLessThan(10);
  });

  it('of one folder does not block other folders', async () => {
    arrive(1);
    arrive(3, 'Archiv');
    fate = ({ uids }) => (uids.length === 1 ? 'refused' : undefined);
    const found: string[] = [];
    const listing = async () => {
      for await (const { documents } of imap.list(session, null, null))
        found.push(...documents.map((ref) => ref.filename));
    };
    await expect(listing()).rejects.toThrow(Transient);
    expect(found).toEqual(['Archiv 1.pdf', 'Archiv 2.pdf', 'Archiv 3.pdf']);
  });
});
