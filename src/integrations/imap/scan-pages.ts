/** Mails of the first page: its documents are on their way while the next page is described. */
const FIRST = 30;
/** So many times as many are on the next page, and so on: the end of each page is waited for. */
const GROWTH = 4;
/** Mails of the largest page: two commands' answers fit in memory. */
const MOST = 480;

/** Cuts what is to be looked at into pages. */
export function scanPages(uids: readonly number[]): (readonly number[])[] {
  const pages: (readonly number[])[] = [];
  for (let at = 0, size = FIRST; at < uids.length; at += size, size = Math.min(size * GROWTH, MOST)) {
    pages.push(uids.slice(at, at + size));
  }
  return pages;
}
