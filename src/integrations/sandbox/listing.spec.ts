import { openSession } from '../core/open-session';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import type { OpenSession } from '../core/open-session';
import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  CursorInvalid,
  InvalidCredentials,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { sandbox } from './sandbox';

const network = new GuardedNetwork({ allow: [] });
let today = new Date('2026-11-20T08:00:00Z');

beforeEach(() => (today = new Date('2026-11-20T08:00:00Z')));

function session(fields: Record<string, unknown> = {}, step2 = {}, signal = new AbortController().signal): OpenSession {
  const { values, invalidFields } = validateFields(sandbox.step1, { user: 'demo', password: 'secret', ...fields });
  expect(invalidFields).toEqual([]);
  return openSession({ fields: values, step2, network, signal, now: () => today });
}

interface Fetched {
  documents: DocumentRef[];
  filtered: number;
  pages: SourcePage[];
  cursor: Json;
  error?: unknown;
}

/** One fetch as in the service: every page's cursor is stored, also when the listing fails later. */
async function fetchAll(
  opened: OpenSession,
  cursor: Json | null = null,
  startdate: string | null = null,
): Promise<Fetched> {
  const result: Fetched = { documents: [], filtered: 0, pages: [], cursor };
  try {
    for await (const page of sandbox.list(opened, cursor, startdate)) {
      result.pages.push(page);
      result.documents.push(...page.documents);
      result.filtered += page.filtered ?? 0;
      result.cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
    }
  } catch (error) {
    result.error = error;
  }
  return result;
}

const ids = (documents: readonly DocumentRef[]) => documents.map((document) => document.externalId);

describe('the listing of the sandbox', () => {
  it('shows an invoice, a credit note and an e-invoice by default, oldest first', async () => {
    const { documents, filtered, pages } = await fetchAll(session());
    expect([documents.length, filtered, pages.length]).toEqual([3, 0, 1]);
    expect(documents.map((d) => [d.metadata.date, d.documentType, d.filename])).toEqual([
      ['2025-12-29', 'invoice', 'RE-2025-00003.xml'],
      ['2025-12-30', 'credit_note', 'GS-2025-00002.pdf'],
      ['2025-12-31', 'invoice', 'RE-2025-00001.pdf'],
    ]);
    for (const { externalId, dedupeKey, metadata } of documents) {
      expect(externalId).toMatch(/^SBX-[0-9A-F]{8}-\d{5}$/);
      expect(dedupeKey).toBe(externalId);
      expect(metadata).toMatchObject({ currency: 'EUR', number: expect.any(String), supplier: { country: 'DE' } });
      expect(Number(metadata.amount)).toBeCloseTo(Number(metadata.amount_net) + Number(metadata.amount_tax), 5);
      expect(metadata.amount).toMatch(/^\d+\.\d\d$/);
    }
  });

  it('has the same documents for the same user, and others for another', async () => {
    const [first, second, other] = await Promise.all([
      fetchAll(session()),
      fetchAll(session({ user: ' Demo' })),
      fetchAll(session({ user: 'else' })),
    ]);
    expect(second.documents).toEqual(first.documents);
    expect(ids(other.documents).filter((id) => ids(first.documents).includes(id))).toEqual([]);
  });

  it('adds new documents, dated today, with every later fetch', async () => {
    const opened = session({ new_per_fetch: 2 });
    const first = await fetchAll(opened);
    today = new Date('2026-11-21T08:00:00Z');
    const second = await fetchAll(opened, first.cursor);
    today = new Date('2026-11-22T08:00:00Z');
    const third = await fetchAll(opened, second.cursor);
    expect(second.documents.map((d) => [d.externalId?.slice(-5), d.metadata.date])).toEqual([
      ['00004', '2026-11-21'],
      ['00005', '2026-11-21'],
    ]);
    expect(third.documents.map((d) => [d.externalId?.slice(-5), d.metadata.date])).toEqual([
      ['00006', '2026-11-22'],
      ['00007', '2026-11-22'],
    ]);
  });

  it('may have no initial and no new documents', async () => {
    const opened = session({ documents: 0, new_per_fetch: 0 });
    const first = await fetchAll(opened);
    const second = await fetchAll(opened, first.cursor);
    expect([first.documents, second.documents, second.error]).toEqual([[], [], undefined]);
    expect(second.pages).toHaveLength(1);
  });

  it('excludes documents older than the start date, also when resuming', async () => {
    const opened = session({ documents: 150 });
    const whole = await fetchAll(opened, null, '2025-12-01');
    expect([whole.documents.length, whole.filtered]).toEqual([31, 119]);
    expect(whole.documents.map((d) => d.metadata.date).sort()[0]).toBe('2025-12-01');
    const rest = await fetchAll(opened, whole.pages[0]!.cursor, '2025-12-01');
    expect([rest.documents.length, rest.filtered]).toEqual([31, 19]);
    const migrated = await fetchAll(opened, null, '2026-11-20');
    expect(migrated.documents).toEqual([]);
    expect((await fetchAll(opened, migrated.cursor, '2026-11-20')).documents).toHaveLength(1);
  });

  it('lists 10,000 documents in small pages and resumes from any of them', async () => {
    const opened = session({ documents: 10_000 });
    const { documents, pages } = await fetchAll(opened);
    expect(new Set(ids(documents)).size).toBe(10_000);
    expect(Math.max(...pages.map((page) => page.documents.length))).toBe(100);
    for (const at of [0, 41, 98]) {
      const rest = await fetchAll(opened, pages[at]!.cursor);
      expect(ids(rest.documents)).toEqual(ids(documents.slice((at + 1) * 100)));
    }
  });
});

describe('the second step', () => {
  const fields = () => sandbox.step2!(session());

  it('works without input', async () => {
    const { values, invalidFields } = validateFields(await fields(), {});
    expect(invalidFields).toEqual([]);
    expect((await fetchAll(session({}, values))).documents).toEqual((await fetchAll(session())).documents);
  });

  it('filters by folder and kind, and counts excluded documents', async () => {
    const december = await fetchAll(session({ documents: 60 }, { folders: ['inbox/2025/12', 'archive'] }));
    expect([december.documents.length, december.filtered]).toEqual([31, 29]);
    const year = await fetchAll(session({ documents: 60 }, { folders: ['inbox/2025'] }));
    expect(year.documents).toHaveLength(60);
    const xml = await fetchAll(session({ documents: 60 }, { kinds: ['e_invoice'] }));
    expect(xml.documents.map((d) => d.filename.slice(-4))).toEqual(Array<string>(12).fill('.xml'));
    const notes = await fetchAll(session({ documents: 60 }, { kinds: ['credit_note'] }));
    expect(new Set(notes.documents.map((d) => d.documentType))).toEqual(new Set(['credit_note']));
    expect((await fetchAll(session({}, { folders: ['archive/0001'] }))).documents).toEqual([]);
  });

  it.each(['nowhere', 'inbox/1997', 'inbox/2025/13', 'archive/1001', 'nested/4', 'inbox/'])(
    'rejects the folder %s',
    async (id) => {
      expect((await fetchAll(session({}, { folders: [id] }))).error).toBeInstanceOf(SelectionNotFound);
      await expect(sandbox.options!(session(), 'folders', id)).rejects.toBeInstanceOf(SelectionNotFound);
    },
  );

  it('loads the folder tree level by level: wide, deep, and with a node that cannot be selected', async () => {
    const children = (parent?: string) => sandbox.options!(session(), 'folders', parent);
    const top = await children();
    expect((await fields())[0]).toMatchObject({
      id: 'folders',
      type: 'tree',
      multiple: true,
      hasMore: true,
      options: top,
    });
    expect(top.map((option) => option.value)).toEqual(['inbox', 'archive', 'nested', 'shared']);
    expect(top.at(-1)).toMatchObject({ selectable: false, hasChildren: true });
    expect(new Set((await children('archive')).map((option) => option.value)).size).toBe(1_000);
    expect((await children('inbox'))[0]).toMatchObject({ value: 'inbox/2026', hasChildren: true });
    expect(await children('inbox/2025/12')).toEqual([]);

    let [depth, node] = [0, top[2]];
    for (; node?.hasChildren; depth++) node = (await children(node.value)).at(-1);
    expect(depth).toBe(30);
    expect(await children(node!.value)).toEqual([]);
    expect((await fetchAll(session({}, { folders: [node!.value] }))).error).toBeUndefined();
  });

  it('has nothing to load for a field without a tree', async () => {
    expect(await sandbox.options!(session(), 'kinds')).toEqual([]);
  });
});

describe('rejections', () => {
  it('returns the account of the credentials', async () => {
    const [first, again, other] = await Promise.all(
      ['demo', ' DEMO', 'else'].map((user) => sandbox.check(session({ user }))),
    );
    expect(first!.display).toBe('demo');
    expect(again!.id).toBe(first!.id);
    expect(other!.id).not.toBe(first!.id);
  });

  it('rejects the password "wrong" everywhere', async () => {
    const opened = session({ password: 'wrong' });
    const [ref] = (await fetchAll(session())).documents;
    await expect(sandbox.check(opened)).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.step2!(opened)).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.options!(opened, 'folders')).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.download(opened, ref!)).rejects.toBeInstanceOf(InvalidCredentials);
    expect((await fetchAll(opened)).error).toBeInstanceOf(InvalidCredentials);
  });

  const refusals = [
    ['password_changed', InvalidCredentials, 'LOGIN_REJECTED'],
    ['expired_grant', AuthorizationRevoked, 'CONSENT_EXPIRED'],
    ['revoked_grant', AuthorizationRevoked, 'CONSENT_REVOKED'],
    ['missing_permission', AuthorizationRevoked, 'SCOPE_MISSING'],
    ['provider_down', Transient, 'PROVIDER_DOWN'],
    ['provider_changed', UnexpectedResponse, 'PROVIDER_CHANGED'],
    ['folder_gone', SelectionNotFound, 'FOLDER_NOT_FOUND'],
  ] as const;

  it.each(refusals)('%s permits the setup and fails the first fetch', async (scenario, kind, reason) => {
    const opened = session({ scenario });
    await expect(sandbox.check(opened)).resolves.toMatchObject({ display: 'demo' });
    const { error, documents } = await fetchAll(opened);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ reason });
    expect(documents).toEqual([]);
  });

  it.each(refusals)('%s can permit the first fetch and fail the second', async (scenario, kind) => {
    const opened = session({ scenario, fails_from: 'later_fetch', documents: 250 });
    const first = await fetchAll(opened);
    expect([first.documents.length, first.error]).toEqual([250, undefined]);
    // The first fetch is not over yet after its first page.
    expect((await fetchAll(opened, first.pages[0]!.cursor)).documents).toHaveLength(150);
    const second = await fetchAll(opened, first.cursor);
    expect(second.error).toBeInstanceOf(kind);
    // After the fix, it continues from the old cursor.
    expect(ids((await fetchAll(session(), first.cursor)).documents)).toEqual([expect.stringMatching(/-00251$/)]);
  });

  it.each([
    ...refusals.slice(0, 6).map(([scenario, kind]) => [scenario, kind] as const),
    ['rate_limited', RateLimited] as const,
    ['interrupted', Transient] as const,
  ])('%s can fail the setup', async (scenario, kind) => {
    const opened = session({ scenario, fails_from: 'setup' });
    await expect(sandbox.check(opened)).rejects.toBeInstanceOf(kind);
    await expect(sandbox.step2!(opened)).rejects.toBeInstanceOf(kind);
    expect((await fetchAll(opened)).error).toBeInstanceOf(kind);
  });

  it('accepts the new password after a change', async () => {
    const opened = session({ scenario: 'password_changed', password: 'changed', fails_from: 'setup' });
    await expect(sandbox.check(opened)).resolves.toBeDefined();
    expect((await fetchAll(opened)).documents).toHaveLength(3);
  });
});

describe('interrupted fetches', () => {
  it('requests a pause once per fetch, enforces it, and then continues', async () => {
    const opened = session({ scenario: 'rate_limited', documents: 250 });
    const first = await fetchAll(opened);
    expect(first.documents).toHaveLength(125);
    expect(first.error).toBeInstanceOf(RateLimited);
    expect(first.error).toMatchObject({ retryAfterSeconds: 30 });

    today = new Date('2026-11-20T08:00:20.500Z');
    const tooEarly = await fetchAll(opened, first.cursor);
    expect([tooEarly.documents.length, tooEarly.error]).toEqual([
      0,
      expect.objectContaining({ retryAfterSeconds: 10 }),
    ]);

    today = new Date('2026-11-20T08:00:30Z');
    const rest = await fetchAll(opened, tooEarly.cursor);
    expect(rest.error).toBeUndefined();
    expect(new Set(ids([...first.documents, ...rest.documents])).size).toBe(250);
    expect((await fetchAll(opened, rest.cursor)).error).toBeInstanceOf(RateLimited);
  });

  it('breaks the connection once per fetch and then continues', async () => {
    const opened = session({ scenario: 'interrupted', documents: 1 });
    const first = await fetchAll(opened);
    expect([first.documents.length, first.error]).toEqual([0, expect.any(Transient)]);
    const rest = await fetchAll(opened, first.cursor);
    expect([rest.documents.length, rest.error]).toEqual([1, undefined]);
  });

  it('loses the cursor of a complete fetch, and lists everything again with new documents', async () => {
    const opened = session({ scenario: 'cursor_lost', documents: 150 });
    const first = await fetchAll(opened);
    expect(first.error).toBeUndefined();
    expect((await fetchAll(opened, first.pages[0]!.cursor)).error).toBeUndefined();
    const second = await fetchAll(opened, first.cursor);
    expect([second.documents.length, second.error]).toEqual([0, expect.any(CursorInvalid)]);
    // Listed again in the same session, as a fetch does: the new document is among them.
    const again = await fetchAll(opened);
    expect(ids(again.documents)).toEqual([...ids(first.documents), expect.stringMatching(/-00151$/)]);
    expect((await fetchAll(opened, again.cursor)).error).toBeInstanceOf(CursorInvalid);
    expect(ids((await fetchAll(opened)).documents).at(-1)).toMatch(/-00152$/);
  });
});

describe('repeated documents', () => {
  it('lists every document twice under one key', async () => {
    const { documents } = await fetchAll(session({ scenario: 'duplicates' }));
    expect(documents).toHaveLength(6);
    expect(new Set(documents.map((d) => d.dedupeKey)).size).toBe(3);
  });

  it('lists known documents rendered again, with the new ones', async () => {
    const opened = session({ scenario: 'rerendered' });
    const first = await fetchAll(opened);
    const second = await fetchAll(opened, first.cursor);
    expect(ids(second.documents)).toEqual([...ids(first.documents), expect.stringMatching(/-00004$/)]);
    expect(second.documents[0]!.metadata).toEqual(first.documents[0]!.metadata);
    expect(second.documents[0]!.locator).not.toEqual(first.documents[0]!.locator);
    expect(ids((await fetchAll(opened, second.cursor)).documents).at(-1)).toMatch(/-00005$/);
  });

  it('has difficult file names', async () => {
    const { documents } = await fetchAll(session({ scenario: 'odd_filenames' }));
    for (const { filename } of documents) {
      expect(filename).toMatch(/^\.\.\/.*ö.*".*\.(pdf|xml)$/);
      expect(filename.length).toBeGreaterThan(200);
    }
  });
});

describe('a slow portal', () => {
  it('delays login, page and document', async () => {
    const opened = session({ scenario: 'slow', delay_ms: 40 });
    const started = performance.now();
    const { documents } = await fetchAll(opened);
    const listed = performance.now();
    (await sandbox.download(opened, documents[0]!)).stream.destroy();
    expect(documents).toHaveLength(3);
    expect(listed - started).toBeGreaterThanOrEqual(79);
    expect(performance.now() - listed).toBeGreaterThanOrEqual(39);
  });

  it('stops waiting immediately when the session is aborted', async () => {
    const controller = new AbortController();
    const opened = session({ scenario: 'slow', delay_ms: 60_000 }, {}, controller.signal);
    const running = [
      fetchAll(opened).then(({ error }) => error),
      sandbox.check(opened).catch((error: unknown) => error),
    ];
    controller.abort(new Error('disabled'));
    expect(await Promise.all(running)).toEqual([new Error('disabled'), new Error('disabled')]);
  });

  it('does nothing for a session that has been aborted', async () => {
    const opened = session({}, {}, AbortSignal.abort(new Error('disabled')));
    expect((await fetchAll(opened)).error).toEqual(new Error('disabled'));
  });
});
