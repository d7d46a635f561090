import type { Integration, Session } from '../../../core/integration';
import { addFiltered, NOTHING_FILTERED } from '../../../core/filter-reason';
import type { DocumentRef, Json, SourcePage } from '../../../core/source-document';
import { isContained } from '../../mail/contained-locator';
import type { AttachmentLocator } from '../../mail/parts/attachments';
import { FileOpener } from './file-contents';

/** Documents per page, as in a listing. */
const DOCUMENTS_PER_PAGE = 100;

/**
 * The connector of a storage whose files are opened where a mailbox opens attachments: archives and mails are replaced by the files in
 * them, and a file whose name says nothing about its type is identified by its content. Both are read once for each version.
 */
export function openingFiles(storage: Integration): Integration {
  const openerOf = (session: Session): Promise<FileOpener> =>
    session.shared(
      'file-opener',
      () => Promise.resolve(new FileOpener(session, (ref) => storage.download(session, ref))),
      () => undefined,
    );
  return {
    ...storage,
    async *list(...[session, cursor, startdate]: Parameters<Integration['list']>) {
      const opener = await openerOf(session);
      let last: Json = cursor;
      for await (const page of storage.list(session, cursor, startdate)) {
        yield* opened(page, opener, session, last);
        last = page.cursor;
      }
    },
    async download(session, ref) {
      const locator = ref.locator as AttachmentLocator;
      if (locator === null || typeof locator !== 'object' || !isContained(locator))
        return storage.download(session, ref);
      return (await openerOf(session)).openContained(ref, locator);
    },
  };
}

/** The page, and before it, with the cursor that precedes it, what its archives contain: that may be much more than one page. */
async function* opened(
  page: SourcePage,
  opener: FileOpener,
  session: Session,
  before: Json,
): AsyncGenerator<SourcePage> {
  const documents: DocumentRef[] = [];
  const readKeys: string[] = [];
  let filteredBy = page.filteredBy ?? NOTHING_FILTERED;
  for (const ref of page.documents) {
    session.signal.throwIfAborted();
    if (!opener.needsOpening(ref)) {
      documents.push(ref);
      continue;
    }
    const contents = await opener.contentsOf(ref);
    filteredBy = addFiltered(filteredBy, contents.filteredBy);
    readKeys.push(...contents.readKeys);
    documents.push(...(await unknownOf(contents.documents, session)));
    while (documents.length > DOCUMENTS_PER_PAGE) {
      yield { documents: documents.splice(0, DOCUMENTS_PER_PAGE), cursor: before };
    }
  }
  yield { ...page, documents, filteredBy, ...(readKeys.length > 0 && { readKeys }) };
}

/** Files in an archive of which an interrupted fetch has recorded some. */
async function unknownOf(documents: readonly DocumentRef[], session: Session): Promise<readonly DocumentRef[]> {
  if (documents.length === 0) return documents;
  const known = await session.findKnown(documents.map(({ dedupeKey }) => dedupeKey));
  return documents.filter(({ dedupeKey }) => !known.has(dedupeKey));
}
