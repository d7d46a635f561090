import { scanPages } from './scan-pages';

const uids = Array.from({ length: 2_000 }, (_, n) => n + 1);
const sizes = (pages: readonly (readonly number[])[]) => pages.map(({ length }) => length);

describe('The pages in which a folder is looked at', () => {
  it('are small where it begins, so that the first documents are soon on their way', () => {
    expect(sizes(scanPages(uids, true))).toEqual([30, 120, 480, 480, 480, 410]);
  });

  it('hold every mail once, in order', () => {
    for (const isBeginning of [true, false]) expect(scanPages(uids, isBeginning).flat()).toEqual(uids);
    expect(scanPages([], true)).toEqual([]);
  });

  it('hold on the first page behind any page’s end all of the page that had begun there', () => {
    const pages = scanPages(uids, true);
    for (const [at, page] of pages.entries()) {
      const isBeginning = at === 0;
      const [first] = scanPages(uids.slice(uids.indexOf(page[0]!)), isBeginning);
      expect(first!.slice(0, page.length)).toEqual(page);
    }
  });
});
