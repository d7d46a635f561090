/** Mails of the first page of a folder: its documents are on their way while the next page is described. */
const FIRST_PAGE_MAILS = 30;
/** So many times as many are on the next page, and so on: to describe a mail takes the server less time than to fetch it. */
const GROWTH = 4;
/** Mails of the largest page: two commands' answers fit in memory. */
const MAX_PAGE_MAILS = 480;

/**
 * Cuts what is to be looked at into pages: small ones first, but only where a folder begins. Who goes on behind a position, perhaps
 * where a page was cut short, begins with the largest: all that was recorded of that page has to be on this one, as of a fetch that
 * is taken over only the first page is looked through for what has been counted before.
 */
export function scanPages(uids: readonly number[], isBeginning: boolean): (readonly number[])[] {
  const pages: (readonly number[])[] = [];
  let size = isBeginning ? FIRST_PAGE_MAILS : MAX_PAGE_MAILS;
  for (let at = 0; at < uids.length;) {
    pages.push(uids.slice(at, at + size));
    at += size;
    size = Math.min(size * GROWTH, MAX_PAGE_MAILS);
  }
  return pages;
}
