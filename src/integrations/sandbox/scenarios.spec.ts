import { idsOf, useSandbox } from '../../../test/harness/connectors/use-sandbox';
import {
  AuthorizationRevoked,
  CursorInvalid,
  InvalidCredentials,
  RateLimited,
  SelectionNotFound,
  Transient,
  UnexpectedResponse,
} from '../core/source-errors';
import { sandbox } from './sandbox';

const portal = useSandbox();

describe('rejections', () => {
  it('returns the account of the credentials', async () => {
    const [first, again, other] = await Promise.all(
      ['demo', ' DEMO', 'else'].map((user) => sandbox.check(portal.session({ user }))),
    );
    expect(first!.display).toBe('demo');
    expect(again!.id).toBe(first!.id);
    expect(other!.id).not.toBe(first!.id);
  });

  it('rejects the password "wrong" everywhere', async () => {
    const opened = portal.session({ password: 'wrong' });
    const [ref] = (await portal.fetchAll(portal.session())).documents;
    await expect(sandbox.check(opened)).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.step2!(opened)).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.options!(opened, 'folders')).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(sandbox.download(opened, ref!)).rejects.toBeInstanceOf(InvalidCredentials);
    expect((await portal.fetchAll(opened)).error).toBeInstanceOf(InvalidCredentials);
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
    const opened = portal.session({ scenario });
    await expect(sandbox.check(opened)).resolves.toMatchObject({ display: 'demo' });
    const { error, documents } = await portal.fetchAll(opened);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ reason });
    expect(documents).toEqual([]);
  });

  it.each(refusals)('%s can permit the first fetch and fail the second', async (scenario, kind) => {
    const opened = portal.session({ scenario, fails_from: 'later_fetch', documents: 250 });
    const first = await portal.fetchAll(opened);
    expect([first.documents.length, first.error]).toEqual([250, undefined]);
    // The first fetch is not over yet after its first page.
    expect((await portal.fetchAll(opened, first.pages[0]!.cursor)).documents).toHaveLength(150);
    const second = await portal.fetchAll(opened, first.cursor);
    expect(second.error).toBeInstanceOf(kind);
    // After the fix, it continues from the old cursor.
    expect(idsOf((await portal.fetchAll(portal.session(), first.cursor)).documents)).toEqual([
      expect.stringMatching(/-00251$/),
    ]);
  });

  it.each([
    ...refusals.slice(0, 6).map(([scenario, kind]) => [scenario, kind] as const),
    ['rate_limited', RateLimited] as const,
    ['interrupted', Transient] as const,
  ])('%s can fail the setup', async (scenario, kind) => {
    const opened = portal.session({ scenario, fails_from: 'setup' });
    await expect(sandbox.check(opened)).rejects.toBeInstanceOf(kind);
    await expect(sandbox.step2!(opened)).rejects.toBeInstanceOf(kind);
    expect((await portal.fetchAll(opened)).error).toBeInstanceOf(kind);
  });

  it('accepts the new password after a change', async () => {
    const opened = portal.session({ scenario: 'password_changed', password: 'changed', fails_from: 'setup' });
    await expect(sandbox.check(opened)).resolves.toBeDefined();
    expect((await portal.fetchAll(opened)).documents).toHaveLength(3);
  });
});

describe('interrupted fetches', () => {
  it('requests a pause once per fetch, enforces it, and then continues', async () => {
    const opened = portal.session({ scenario: 'rate_limited', documents: 250 });
    const first = await portal.fetchAll(opened);
    expect(first.documents).toHaveLength(125);
    expect(first.error).toBeInstanceOf(RateLimited);
    expect(first.error).toMatchObject({ retryAfterSeconds: 30 });

    portal.today = new Date('2026-11-20T08:00:20.500Z');
    const tooEarly = await portal.fetchAll(opened, first.cursor);
    expect([tooEarly.documents.length, tooEarly.error]).toEqual([
      0,
      expect.objectContaining({ retryAfterSeconds: 10 }),
    ]);

    portal.today = new Date('2026-11-20T08:00:30Z');
    const rest = await portal.fetchAll(opened, tooEarly.cursor);
    expect(rest.error).toBeUndefined();
    expect(new Set(idsOf([...first.documents, ...rest.documents])).size).toBe(250);
    expect((await portal.fetchAll(opened, rest.cursor)).error).toBeInstanceOf(RateLimited);
  });

  it('breaks the connection once per fetch and then continues', async () => {
    const opened = portal.session({ scenario: 'interrupted', documents: 1 });
    const first = await portal.fetchAll(opened);
    expect([first.documents.length, first.error]).toEqual([0, expect.any(Transient)]);
    const rest = await portal.fetchAll(opened, first.cursor);
    expect([rest.documents.length, rest.error]).toEqual([1, undefined]);
  });

  it('loses the cursor of a complete fetch, and lists everything again with new documents', async () => {
    const opened = portal.session({ scenario: 'cursor_lost', documents: 150 });
    const first = await portal.fetchAll(opened);
    expect(first.error).toBeUndefined();
    expect((await portal.fetchAll(opened, first.pages[0]!.cursor)).error).toBeUndefined();
    const second = await portal.fetchAll(opened, first.cursor);
    expect([second.documents.length, second.error]).toEqual([0, expect.any(CursorInvalid)]);
    // Listed again in the same session, as a fetch does: the new document is among them.
    const again = await portal.fetchAll(opened);
    expect(idsOf(again.documents)).toEqual([...idsOf(first.documents), expect.stringMatching(/-00151$/)]);
    expect((await portal.fetchAll(opened, again.cursor)).error).toBeInstanceOf(CursorInvalid);
    expect(idsOf((await portal.fetchAll(opened)).documents).at(-1)).toMatch(/-00152$/);
  });
});

describe('repeated documents', () => {
  it('lists every document twice under one key', async () => {
    const { documents } = await portal.fetchAll(portal.session({ scenario: 'duplicates' }));
    expect(documents).toHaveLength(6);
    expect(new Set(documents.map((d) => d.dedupeKey)).size).toBe(3);
  });

  it('lists known documents rendered again, with the new ones', async () => {
    const opened = portal.session({ scenario: 'rerendered' });
    const first = await portal.fetchAll(opened);
    const second = await portal.fetchAll(opened, first.cursor);
    expect(idsOf(second.documents)).toEqual([...idsOf(first.documents), expect.stringMatching(/-00004$/)]);
    expect(second.documents[0]!.metadata).toEqual(first.documents[0]!.metadata);
    expect(second.documents[0]!.locator).not.toEqual(first.documents[0]!.locator);
    expect(idsOf((await portal.fetchAll(opened, second.cursor)).documents).at(-1)).toMatch(/-00005$/);
  });

  it('has difficult file names', async () => {
    const { documents } = await portal.fetchAll(portal.session({ scenario: 'odd_filenames' }));
    for (const { filename } of documents) {
      expect(filename).toMatch(/^\.\.\/.*ö.*".*\.(pdf|xml)$/);
      expect(filename.length).toBeGreaterThan(200);
    }
  });
});

describe('a slow portal', () => {
  it('delays login, page and document', async () => {
    const opened = portal.session({ scenario: 'slow', delay_ms: 40 });
    const started = performance.now();
    const { documents } = await portal.fetchAll(opened);
    const listed = performance.now();
    (await sandbox.download(opened, documents[0]!)).stream.destroy();
    expect(documents).toHaveLength(3);
    expect(listed - started).toBeGreaterThanOrEqual(79);
    expect(performance.now() - listed).toBeGreaterThanOrEqual(39);
  });

  it('stops waiting immediately when the session is aborted', async () => {
    const controller = new AbortController();
    const opened = portal.session({ scenario: 'slow', delay_ms: 60_000 }, {}, controller.signal);
    const running = [
      portal.fetchAll(opened).then(({ error }) => error),
      sandbox.check(opened).catch((error: unknown) => error),
    ];
    controller.abort(new Error('disabled'));
    expect(await Promise.all(running)).toEqual([new Error('disabled'), new Error('disabled')]);
  });

  it('does nothing for a session that has been aborted', async () => {
    const opened = portal.session({}, {}, AbortSignal.abort(new Error('disabled')));
    expect((await portal.fetchAll(opened)).error).toEqual(new Error('disabled'));
  });
});
