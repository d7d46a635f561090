import { refused } from '../../../test/fakes/box/box-endpoints';
import type { Fault, Request } from '../../../test/fakes/box/fake-box';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { useBox } from '../../../test/harness/connectors/use-box';
import type { OpenSession } from '../core/session/open-session';
import { SelectionNotFound, Transient, UnexpectedResponse } from '../core/source-errors';
import { box } from './box';

const account = useBox();
const isListing = ({ path }: Request): boolean => path.endsWith('/items');

describe('The account of a Box', () => {
  it('has a stable id and is displayed by its login', async () => {
    expect(await box.check(account.session())).toEqual({ id: account.files.user, display: 'anna@example.com' });
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
      account.server.fault = () => fault;
      const error = await rejectionOf(box.check(account.session()));
      expect([fault, error]).toEqual([fault, expect.objectContaining(expected)]);
      if (fault.answer?.status === 400) expect(error).toBeInstanceOf(UnexpectedResponse);
    }
  });
});

describe('The folders of a Box', () => {
  const folders = (opened: OpenSession, parent?: string) => box.options!(opened, 'folders', parent);

  it('are loaded level by level, including shared ones', async () => {
    account.server.endpoints.page = 2;
    for (const path of ['Büro/2026', 'Ärzte', 'Geteilt', '10', '9']) account.files.folder(path);
    account.files.folder('Geteilt').isShared = true;
    account.files.put('datei.pdf', '%PDF');
    account.files.link('Lesezeichen');
    const opened = account.session();
    const [root] = await folders(opened);
    expect(root).toMatchObject({ value: '0', hasChildren: true });
    const first = await folders(opened, root!.value);
    expect(first.map(({ label }) => label)).toEqual(['9', '10', 'Ärzte', 'Büro', 'Geteilt']);
    const inner = await folders(opened, first.find(({ label }) => label === 'Büro')!.value);
    expect(inner).toEqual([{ value: account.files.folder('Büro/2026').id, label: '2026', hasChildren: true }]);
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
    const item = account.files.put('Büro/Rechnung Ü.pdf', '%PDF ü', dates);
    account.files.put('Büro/Entwurf.pdf', '%PDF');
    account.files.put('Büro/leer.pdf', '');
    account.files.put('Büro/Notiz.boxnote', '{"doc":{}}');
    account.files.put('Büro/alt.pdf', '%PDF alt', { modifiedAt: '2026-01-31T14:59:59-08:00' });
    account.files.put('anderswo.pdf', '%PDF');
    const step2 = { folders: [account.files.folder('Büro').id], exclude: 'entwurf*', file_types: ['all'] };
    const { documents, filteredBy } = await account.fetched(
      account.session(step2, { zone: 'Europe/Berlin' }),
      null,
      '2026-02-01',
    );
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
    expect(filteredBy).toEqual({ BEFORE_STARTDATE: 1, EMPTY: 1, PATTERN: 1, TYPE: 1 });
  });

  it('are listed once each when selected folders are nested', async () => {
    account.server.endpoints.page = 7;
    for (let n = 0; n < 40; n++) account.files.put(`A/${n % 4 ? 'b' : 'c/d'}/${n}.pdf`, `%PDF ${n}`);
    const { names } = await account.fetched(
      account.session({ folders: [account.files.folder('A/b').id, account.files.folder('A').id] }),
    );
    expect(names).toHaveLength(40);
    expect(new Set(names).size).toBe(40);
  });

  it('are not listed again after renaming or moving, but after changes', async () => {
    const [a, b] = [account.files.put('A/a.pdf', '%PDF a'), account.files.put('A/b.pdf', '%PDF b')];
    account.files.put('A/unter/c.pdf', '%PDF c');
    account.files.put('draußen/d.pdf', '%PDF d');
    const step2 = { folders: [account.files.folder('A').id] };
    const first = await account.fetched(account.session(step2));
    expect(first.names).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    account.files.change(a, { name: 'umbenannt.pdf' });
    account.files.change(b, { parent: account.files.folder('A/neu') });
    account.files.change(account.files.folder('A/unter'), { parent: account.files.folder('A/neu'), name: 'anders' });
    const second = await account.fetched(account.session(step2), first.cursor);
    expect(second.names).toEqual([]);
    account.files.put('A/neu/b.pdf', '%PDF b, changed');
    // Only its location has changed.
    account.files.change(account.files.folder('draußen'), { parent: account.files.folder('A/neu') });
    const third = await account.fetched(account.session(step2), second.cursor);
    expect(third.names).toEqual(['b.pdf', 'd.pdf']);
    expect(third.documents.map(({ externalId }) => externalId)).toContain(b.id);
  });

  it('that are excluded are counted once', async () => {
    account.files.put('programm.exe', 'MZ');
    const first = await account.fetched();
    expect(first.filteredBy).toEqual({ TYPE: 1 });
    const second = await account.fetched(account.session(), first.cursor);
    expect(second.filteredBy).toEqual({});
    const later = new Date(Date.now() + 5_000).toISOString().replace(/\.\d+Z$/, '-00:00');
    account.files.put('noch eins.exe', 'MZ', { modifiedAt: later });
    expect((await account.fetched(account.session(), second.cursor)).filteredBy).toEqual({ TYPE: 1 });
  });

  it('are complete although files are added and deleted during paging', async () => {
    account.server.endpoints.page = 10;
    const items = Array.from({ length: 30 }, (_, n) => account.files.put(`${n}.pdf`, `%PDF ${n}`));
    let turned = 0;
    account.server.fault = (request) => {
      if (isListing(request) && ++turned === 2) {
        for (const item of items.slice(0, 5)) account.files.remove(item);
        account.files.put('neu.pdf', '%PDF neu');
      }
      return undefined;
    };
    expect((await account.fetched()).names).toEqual([...items.map(({ name }) => name), 'neu.pdf'].sort());
  });

  it('of other folders are listed when one folder no longer exists', async () => {
    account.files.put('A/1.pdf', '%PDF 1');
    account.files.put('B/unter/2.pdf', '%PDF 2');
    const step2 = { folders: [account.files.folder('A').id, account.files.folder('B').id] };
    account.files.remove(account.files.folder('A'));
    const unter = account.files.folder('B/unter').id;
    account.files.put('B/3.pdf', '%PDF 3');
    // A missing folder below a selected one is ignored.
    account.server.fault = ({ path }) => (path.includes(unter) ? { answer: refused(403, 'forbidden') } : undefined);
    const names: string[] = [];
    const listing = async () => {
      for await (const page of box.list(account.session(step2), null, null)) {
        names.push(...page.documents.map(({ filename }) => filename));
      }
    };
    await expect(listing()).rejects.toBeInstanceOf(SelectionNotFound);
    expect(names).toEqual(['3.pdf']);
  });

  it('are listed after an interrupted listing', async () => {
    for (let n = 0; n < 12; n++) account.files.put(`${n}/${n}.pdf`, `%PDF ${n}`);
    let listings = 0;
    account.server.fault = (request) =>
      isListing(request) && ++listings === 6 ? { answer: refused(503, 'unavailable') } : undefined;
    expect(await rejectionOf(account.fetched())).toBeInstanceOf(Transient);
    expect((await account.fetched()).names).toHaveLength(12);
  });
});
