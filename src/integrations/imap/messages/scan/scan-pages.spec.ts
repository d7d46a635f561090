import { scanPages } from './scan-pages';

const uids = Array.from({ length: 2_000 }, (_, n) => n + 1);
const sizes = (pages: readonly (readonly number[])[]) => pages.map(({ length }) => length);

describe('The pages of a folder scan', () => {
  it('are small at the beginning, so that the first documents are fetched soon', () => {
    expect(sizes(scanPages(uids, true))).toEqual([30, 120, 480, 480, 480, 410]);
  });

  it('contain every mail once, in order', () => {
    for (const isBeginning of [true, false]) expect(scanPages(uids, isBeginning).flat()).toEqual(uids);
    expect(scanPages([], true)).toEqual([]);
  });

  it('contain on the first resumed page the whole interrupted page', () => {
    const pages = scanPages(uids, true);
    for (const [at, page] of pages.entries()) {
      const isBeginning = at === 0;
      const [first] = scanPages(uids.slice(uids.indexOf(page[0]!)), isBeginning);
      expect(first!.slice(0, page.length)).toEqual(page);
    }
  });
});
