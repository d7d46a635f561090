import { buffer } from 'node:stream/consumers';
import { refused } from '../../../test/fakes/box/box-endpoints';
import type { BoxState } from '../../../test/fakes/box/box-state';
import { FakeBox, type Fault, type Request } from '../../../test/fakes/box/fake-box';
import { rejectionOf, OAuthSessions } from '../../../test/harness/connectors/oauth-sessions';
import type { OpenSession } from '../core/open-session';
import {
  SelectionNotFound,
  UnexpectedResponse,
  DocumentUnavailable,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { box } from './box';

let server: FakeBox;
let files: BoxState;
let sessions: OAuthSessions;
const session: OAuthSessions['open'] = (...given) => sessions.open(...given);
const fetched: OAuthSessions['fetched'] = (...given) => sessions.fetched(...given);
const isListing = ({ path }: Request): boolean => path.endsWith('/items');
const isContent = ({ path }: Request): boolean => path.endsWith('/content');

beforeEach(async () => {
  server = await FakeBox.start();
  files = server.files();
  sessions = new OAuthSessions(box, server);
});
afterEach(async () => {
  await sessions.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});

describe('The account of a Box', () => {
  it('has a stable id and is displayed by its login', async () => {
    expect(await box.check(session())).toEqual({ id: files.user, display: 'anna@example.com' });
  });

  it('distinguishes errors that the user has to fix from transient ones', async () => {
    const faults: [Fault, object | (() => unknown)][] = [
      [{ answer: refused(403, 'insufficient_scope') }, { reason: 'SCOPE_MISSING' }],
      [{ answer: refused(401, 'unauthorized') }, { reason: 'CONSENT_REVOKED' }],
      [{ answer: refused(429, 'too_many_requests', { 'retry-after': '17' }) }, { retryAfterSeconds: 17 }],
      [{ answer: refused(429, 'too_many_requests') }, { retryAfterSeconds: 60 }],
      [{ answer: refused(500, 'internal_server_error') }, { reason: 'PROVIDER_DOWN' }],
      [{ answer: refused(503, 'unavailable') }, { reason: 'PROVIDER_DOWN' }],
      [{ answer: refused(400, 'bad_request') }, { reason: 'PROVIDER_CHANGED' }],
    ];
    for (const [fault, expected] of faults) {
      server.fault = () => fault;
      const error = await rejectionOf(box.check(session()));
      expect([fault, error]).toEqual([fault, expect.objectContaining(expected)]);
      if (fault.answer?.status === 400) expect(error).toBeInstanceOf(UnexpectedResponse);
    }
  });
});

describe('The folders of a Box', () => {
  const folders = (opened: OpenSession, parent?: string) => box.options!(opened, 'folders', parent);

  it('are loaded level by level, including shared ones', async () => {
    server.endpoints.page = 2;
    for (const path of ['Büro/2026', 'Ärzte', 'Geteilt', '10', '9']) files.folder(path);
    files.folder('Geteilt').isShared = true;
    files.put('datei.pdf', '%PDF');
    files.link('Lesezeichen');
    const opened = session();
    const [root] = await folders(opened);
    expect(root).toMatchObject({ value: '0', hasChildren: true });
    const first = await folders(opened, root!.value);
    expect(first.map(({ label }) => label)).toEqual(['9', '10', 'Ärzte', 'Büro', 'Geteilt']);
    const inner = await folders(opened, first.find(({ label }) => label === 'Büro')!.value);
    expect(inner).toEqual([{ value: files.folder('Büro/2026').id, label: '2026', hasChildren: true }]);
    expect(await box.resolve!(opened, 'folders', ['0', inner[0]!.value, '99', 'nonsense'])).toEqual([
      root,
      { value: inner[0]!.value, label: 'Büro/2026' },
      null,
      null,
    ]);
  });
});

describe('The files of a Box', () => {
  it('are selected by kind, pattern, size and upload date; notes are excluded', async () => {
    const dates = { contentModifiedAt: '2019-05-01T12:00:00+02:00' };
    const item = files.put('Büro/Rechnung Ü.pdf', '%PDF ü', dates);
    files.put('Büro/Entwurf.pdf', '%PDF');
    files.put('Büro/leer.pdf', '');
    files.put('Büro/Notiz.boxnote', '{"doc":{}}');
    files.put('Büro/alt.pdf', '%PDF alt', { modifiedAt: '2026-01-31T14:59:59-08:00' });
    files.put('anderswo.pdf', '%PDF');
    const step2 = { folders: [files.folder('Büro').id], exclude: 'entwurf*', file_types: ['all'] };
    const { documents, filtered } = await fetched(session(step2, { zone: 'Europe/Berlin' }), null, '2026-02-01');
    expect(documents).toEqual([
      {
        dedupeKey: expect.stringMatching(/^file:/),
        isSameByContent: true,
        externalId: item.id,
        filename: 'Rechnung Ü.pdf',
        metadata: {
          source: {
            kind: 'file',
            path: 'Rechnung Ü.pdf',
            url: `https://app.box.com/file/${item.id}`,
            modified_at: '2019-05-01T10:00:00Z',
          },
        },
        locator: { id: item.id, sha1: expect.stringMatching(/^[0-9a-f]{40}$/) },
        size: 7,
      },
    ]);
    expect(filtered).toBe(3);
  });

  it('are listed once each when selected folders are nested', async () => {
    server.endpoints.page = 7;
    for (let n = 0; n < 40; n++) files.put(`A/${n % 4 ? 'b' : 'c/d'}/${n}.pdf`, `%PDF ${n}`);
    const { names } = await fetched(session({ folders: [files.folder('A/b').id, files.folder('A').id] }));
    expect(names).toHaveLength(40);
    expect(new Set(names).size).toBe(40);
  });

  it('are not listed again after renaming or moving, but after changes', async () => {
    const [a, b] = [files.put('A/a.pdf', '%PDF a'), files.put('A/b.pdf', '%PDF b')];
    files.put('A/unter/c.pdf', '%PDF c');
    files.put('draußen/d.pdf', '%PDF d');
    const step2 = { folders: [files.folder('A').id] };
    const first = await fetched(session(step2));
    expect(first.names).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    files.change(a, { name: 'umbenannt.pdf' });
    files.change(b, { parent: files.folder('A/neu') });
    files.change(files.folder('A/unter'), { parent: files.folder('A/neu'), name: 'anders' });
    const second = await fetched(session(step2), first.cursor);
    expect(second.names).toEqual([]);
    files.put('A/neu/b.pdf', '%PDF b, changed');
    // Only its location has changed.
    files.change(files.folder('draußen'), { parent: files.folder('A/neu') });
    const third = await fetched(session(step2), second.cursor);
    expect(third.names).toEqual(['b.pdf', 'd.pdf']);
    expect(third.documents.map(({ externalId }) => externalId)).toContain(b.id);
  });

  it('that are excluded are counted once', async () => {
    files.put('programm.exe', 'MZ');
    const first = await fetched();
    expect(first.filtered).toBe(1);
    const second = await fetched(session(), first.cursor);
    expect(second.filtered).toBe(0);
    const later = new Date(Date.now() + 5_000).toISOString().replace(/\.\d+Z$/, '-00:00');
    files.put('noch eins.exe', 'MZ', { modifiedAt: later });
    expect((await fetched(session(), second.cursor)).filtered).toBe(1);
  });

  it('are complete although files are added and deleted during paging', async () => {
    server.endpoints.page = 10;
    const items = Array.from({ length: 30 }, (_, n) => files.put(`${n}.pdf`, `%PDF ${n}`));
    let turned = 0;
    server.fault = (request) => {
      if (isListing(request) && ++turned === 2) {
        for (const item of items.slice(0, 5)) files.remove(item);
        files.put('neu.pdf', '%PDF neu');
      }
      return undefined;
    };
    expect((await fetched()).names).toEqual([...items.map(({ name }) => name), 'neu.pdf'].sort());
  });

  it('of other folders are listed when one folder no longer exists', async () => {
    files.put('A/1.pdf', '%PDF 1');
    files.put('B/unter/2.pdf', '%PDF 2');
    const step2 = { folders: [files.folder('A').id, files.folder('B').id] };
    files.remove(files.folder('A'));
    const unter = files.folder('B/unter').id;
    files.put('B/3.pdf', '%PDF 3');
    // A missing folder below a selected one is ignored.
    server.fault = ({ path }) => (path.includes(unter) ? { answer: refused(403, 'forbidden') } : undefined);
    const names: string[] = [];
    const listing = async () => {
      for await (const page of box.list(session(step2), null, null)) {
        names.push(...page.documents.map(({ filename }) => filename));
      }
    };
    await expect(listing()).rejects.toBeInstanceOf(SelectionNotFound);
    expect(names).toEqual(['3.pdf']);
  });

  it('are listed after an interrupted listing', async () => {
    for (let n = 0; n < 12; n++) files.put(`${n}/${n}.pdf`, `%PDF ${n}`);
    let listings = 0;
    server.fault = (request) =>
      isListing(request) && ++listings === 6 ? { answer: refused(503, 'unavailable') } : undefined;
    expect(await rejectionOf(fetched())).toBeInstanceOf(Transient);
    expect((await fetched()).names).toHaveLength(12);
  });
});

describe('The content of a Box', () => {
  const first = async () => (await fetched()).documents[0]!;

  it('comes from another host, which does not receive the token', async () => {
    files.put('Rechnung.pdf', '%PDF Rechnung');
    const { stream, filename, size } = await box.download(session(), await first());
    expect([(await buffer(stream)).toString(), filename, size]).toEqual(['%PDF Rechnung', 'Rechnung.pdf', 13]);
    expect(server.requests.filter(isContent).map(({ authorization }) => authorization)).toEqual([
      expect.stringMatching(/^Bearer /),
    ]);
    expect(server.downloads.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('is resumed from a new address when the connection breaks and the token expires', async () => {
    const content = Buffer.alloc(3_000_000, 'Inhalt ');
    files.put('groß.pdf', content);
    const ref = await first();
    server.fault = ({ path }) => {
      if (!path.startsWith('/d/') || server.downloads.length > 1) return undefined;
      server.authorization.expireAccessTokens();
      return { cutAfter: 1_000_000 };
    };
    const { stream } = await box.download(session(), ref);
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(server.downloads.map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(new Set(server.downloads.map(({ path }) => path)).size).toBe(2);
    expect(server.downloads.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('is retried shortly while Box prepares it, otherwise by the next fetch', async () => {
    files.put('neu.pdf', '%PDF neu');
    const ref = await first();
    const notYet = (seconds: number): Fault => ({
      answer: { status: 202, headers: { 'retry-after': String(seconds) } },
    });
    let asked = 0;
    server.fault = (request) => (isContent(request) && ++asked === 1 ? notYet(1) : undefined);
    expect((await buffer((await box.download(session(), ref)).stream)).toString()).toBe('%PDF neu');
    expect(asked).toBe(2);
    server.fault = (request) => (isContent(request) ? notYet(600) : undefined);
    const error = await rejectionOf(box.download(session(), ref));
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: false });
  });

  it('fails when it is not the listed version', async () => {
    files.put('a.pdf', '%PDF first');
    const ref = await first();
    files.put('a.pdf', '%PDF other');
    expect(await rejectionOf(buffer((await box.download(session(), ref)).stream))).toMatchObject({ permanent: true });
    expect((await fetched()).names).toEqual(['a.pdf']);
  });

  it('is not verified when Box adds a watermark', async () => {
    files.put('vertraulich.pdf', '%PDF', { isWatermarked: true });
    const { stream } = await box.download(session(), await first());
    expect((await buffer(stream)).toString()).toBe('%PDF (for Anna)');
  });

  it('that is unavailable does not affect other documents, and an expired URL does not affect the authorization', async () => {
    files.put('a.pdf', '%PDF a');
    const ref = await first();
    const cases: [(request: Request) => Fault | undefined, unknown, unknown][] = [
      [
        (request) => (isContent(request) ? { answer: refused(404, 'not_found') } : undefined),
        DocumentUnavailable,
        true,
      ],
      [
        (request) => (isContent(request) ? { answer: refused(403, 'forbidden') } : undefined),
        DocumentUnavailable,
        false,
      ],
      [({ path }) => (path.startsWith('/d/') ? { answer: { status: 401 } } : undefined), DocumentUnavailable, false],
      [({ path }) => (path.startsWith('/d/') ? { answer: { status: 503 } } : undefined), Transient, undefined],
      [
        (request) => (isContent(request) ? { answer: refused(429, 'too_many_requests') } : undefined),
        RateLimited,
        undefined,
      ],
    ];
    for (const [fault, expected, permanent] of cases) {
      server.fault = fault;
      const error = await rejectionOf(box.download(session(), ref));
      expect(error).toBeInstanceOf(expected);
      expect((error as DocumentUnavailable).permanent).toBe(permanent);
    }
    server.fault = () => undefined;
    // With read-only access, listing is possible, but not downloading.
    const error = await rejectionOf(box.download(session({}, { scopes: ['root_readonly'] }), ref));
    expect(error).toMatchObject({ permanent: false });
  });

  it.each(['https://', 'ftp://127.0.0.1/x', 'http://[fe80::1]/x', 'http://10.0.0.1/x'])(
    'is not fetched from %s, even after a redirect by Box',
    async (location) => {
      files.put('a.pdf', '%PDF a');
      const ref = await first();
      server.fault = (request) => (isContent(request) ? { answer: { status: 302, headers: { location } } } : undefined);
      const unavailable = { name: 'DocumentUnavailable', permanent: false };
      expect(await rejectionOf(box.download(session(), ref))).toMatchObject(unavailable);
      expect(server.downloads).toEqual([]);
    },
  );
});
