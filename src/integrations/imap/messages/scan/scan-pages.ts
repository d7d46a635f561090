/** Mails on the first page of a folder: its documents are transferred while the next page is read. */
const FIRST_PAGE_MAILS = 30;
/** The growth factor of pages: servers describe a mail faster than they transfer it. */
const GROWTH = 4;
/** Mails on the largest page: the responses of two commands fit in memory. */
const MAX_PAGE_MAILS = 480;

/**
 * Splits UIDs into pages, small ones first, but only at the beginning of a folder. A scan that resumes at a position, perhaps
 * within an interrupted page, starts with the largest size: all recorded documents of that page have to be on the first page, the
 * only one on which a resumed fetch looks for already counted documents.
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
