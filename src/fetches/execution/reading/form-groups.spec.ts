import type { DocumentRef } from '../../../integrations/core/source-document';
import { batchesOf, formGroups } from './form-groups';

const file = (path: string, renditionOf?: readonly DocumentRef[]): DocumentRef => ({
  dedupeKey: path,
  externalId: null,
  filename: path.slice(path.lastIndexOf('/') + 1),
  metadata: { source: { kind: 'file', path } },
  locator: path,
  ...(renditionOf && { renditionOf }),
});
const mailed = (name: string, renditionOf?: readonly DocumentRef[]): DocumentRef => ({
  ...file(name, renditionOf),
  metadata: { source: { kind: 'mail' } },
});
const keys = (groups: readonly (readonly DocumentRef[])[]) => groups.map((group) => group.map((ref) => ref.dedupeKey));

describe('formGroups', () => {
  it('keeps files of one folder together that differ only in their extension, XML first', () => {
    const refs = [file('a/1.pdf'), file('a/RE.pdf'), file('b/re.xml'), file('a/re.XML'), file('a/re.txt')];
    const groups = formGroups(refs);
    expect(keys(groups)).toEqual([['b/re.xml'], ['a/re.XML', 'a/RE.pdf'], ['a/1.pdf'], ['a/re.txt']]);
    expect(groups[1]![1]!.renditionOf).toEqual([refs[3]]);
  });

  it('keeps documents together that a connector has listed as forms, and pairs no attachments of mails by name', () => {
    const [first, second, alone] = [mailed('1.xml'), mailed('2.xml'), mailed('3.pdf')];
    const refs = [mailed('3.xml'), alone, first, second, mailed('x.pdf', [first, second])];
    expect(keys(formGroups(refs))).toEqual([['3.xml'], ['3.pdf'], ['1.xml', '2.xml', 'x.pdf']]);
    expect(alone.renditionOf).toBeUndefined();
  });

  it('does not take the folder of a portal for the name of a document', () => {
    const portal = (filename: string): DocumentRef => ({
      ...file(filename),
      metadata: { source: { kind: 'portal', path: '2026/11' } },
    });
    expect(keys(formGroups([portal('1.xml'), portal('2.pdf'), portal('1.pdf')]))).toEqual([
      ['1.xml', '1.pdf'],
      ['2.pdf'],
    ]);
  });

  it('keeps the order of a page without XML', () => {
    expect(keys(formGroups(['b.pdf', 'a.pdf'].map((path) => file(path))))).toEqual([['b.pdf'], ['a.pdf']]);
  });
});

describe('batchesOf', () => {
  it('splits no group, and gives one empty batch without documents', () => {
    const [a, b, c, d] = [file('a'), file('b'), file('c'), file('d')];
    expect(keys(batchesOf([[a], [b, c], [d]], 2))).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(keys(batchesOf([[a, b, c], [d]], 2))).toEqual([['a', 'b', 'c'], ['d']]);
    expect(batchesOf([], 2)).toEqual([[]]);
  });
});
