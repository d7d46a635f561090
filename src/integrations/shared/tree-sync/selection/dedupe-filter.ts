import type { Session } from '../../../core/integration';
import type { DocumentRef, Json, SourcePage } from '../../../core/source-document';

/** So many files are asked about at once: few questions, little memory. */
const KEYS_PER_LOOKUP = 500;
/** References a page. */
const DOCUMENTS_PER_PAGE = 100;

/** What becomes of a listed file: a document, one that the user does not want, or one that is none of this listing's business. */
export type Verdict = DocumentRef | 'unwanted' | 'ignored';

/**
 * Pages of those documents of a listing that are not known yet, all with the same cursor: until the listing is through,
 * nothing is counted as read. Returns how many files the user does not want.
 */
export async function* filterKnown<Item, Cursor extends Json>(
  session: Pick<Session, 'findKnown' | 'signal'>,
  listing: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  classify: (item: Item) => Verdict,
  cursor: Cursor,
): AsyncGenerator<SourcePage<Cursor>, number> {
  let pending: DocumentRef[] = [];
  let unwanted = 0;
  async function* flush(): AsyncGenerator<SourcePage<Cursor>> {
    const asked = pending;
    pending = [];
    const known = await session.findKnown(asked.map(({ dedupeKey }) => dedupeKey));
    const fresh = asked.filter(({ dedupeKey }) => !known.has(dedupeKey));
    for (let at = 0; at < fresh.length; at += DOCUMENTS_PER_PAGE) {
      session.signal.throwIfAborted();
      yield { documents: fresh.slice(at, at + DOCUMENTS_PER_PAGE), cursor };
    }
  }
  for await (const items of listing) {
    session.signal.throwIfAborted();
    for (const item of items) {
      const verdict = classify(item);
      if (verdict === 'unwanted') unwanted += 1;
      else if (verdict !== 'ignored') pending.push(verdict);
      if (pending.length >= KEYS_PER_LOOKUP) yield* flush();
    }
  }
  if (pending.length > 0) yield* flush();
  return unwanted;
}
