import { useSandbox } from '../../../test/harness/connectors/use-sandbox';
import { SelectionNotFound } from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { sandbox } from './sandbox';

const portal = useSandbox();

describe('the second step', () => {
  const fields = () => sandbox.step2!(portal.session());

  it('works without input', async () => {
    const { values, invalidFields } = validateFields(await fields(), {});
    expect(invalidFields).toEqual([]);
    expect((await portal.fetchAll(portal.session({}, values))).documents).toEqual(
      (await portal.fetchAll(portal.session())).documents,
    );
  });

  it('filters by folder and kind, and counts excluded documents', async () => {
    const december = await portal.fetchAll(
      portal.session({ documents: 60 }, { folders: ['inbox/2025/12', 'archive'] }),
    );
    expect([december.documents.length, december.filteredBy]).toEqual([31, { FOLDER: 29 }]);
    const year = await portal.fetchAll(portal.session({ documents: 60 }, { folders: ['inbox/2025'] }));
    expect(year.documents).toHaveLength(60);
    const xml = await portal.fetchAll(portal.session({ documents: 60 }, { kinds: ['e_invoice'] }));
    expect(xml.documents.map((d) => d.filename.slice(-4))).toEqual(Array<string>(12).fill('.xml'));
    const notes = await portal.fetchAll(portal.session({ documents: 60 }, { kinds: ['credit_note'] }));
    expect(new Set(notes.documents.map((d) => d.documentType))).toEqual(new Set(['credit_note']));
    expect((await portal.fetchAll(portal.session({}, { folders: ['archive/0001'] }))).documents).toEqual([]);
  });

  it.each(['nowhere', 'inbox/1997', 'inbox/2025/13', 'archive/1001', 'nested/4', 'inbox/'])(
    'rejects the folder %s',
    async (id) => {
      expect((await portal.fetchAll(portal.session({}, { folders: [id] }))).error).toBeInstanceOf(SelectionNotFound);
      await expect(sandbox.options!(portal.session(), 'folders', id)).rejects.toBeInstanceOf(SelectionNotFound);
    },
  );

  it('loads the folder tree level by level: wide, deep, and with a node that cannot be selected', async () => {
    const children = (parent?: string) => sandbox.options!(portal.session(), 'folders', parent);
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
    expect((await portal.fetchAll(portal.session({}, { folders: [node!.value] }))).error).toBeUndefined();
  });

  it('has nothing to load for a field without a tree', async () => {
    expect(await sandbox.options!(portal.session(), 'kinds')).toEqual([]);
  });
});
