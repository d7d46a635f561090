import { ReasonCounter, type FilteredBy, type FilterReason } from '../../../core/filter-reason';
import type { Session } from '../../../core/integration';
import type { DocumentRef, Json, SourcePage } from '../../../core/source-document';

/** Keys per lookup of known documents: few queries, little memory. */
const KEYS_PER_LOOKUP = 500;
/** Documents per page. */
const DOCUMENTS_PER_PAGE = 100;

/** The result for a listed file: a document, why it is not fetched, or that it is counted elsewhere. */
export type Verdict = DocumentRef | FilterReason | 'ignored';

/**
 * Yields pages of the new documents of a listing, all with the same cursor, which only moves when the listing is complete. Returns
 * the number of the other files.
 */
export async function* filterKnown<Item, Cursor extends Json>(
  session: Pick<Session, 'findKnown' | 'signal'>,
  listing: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  classify: (item: Item) => Verdict,
  cursor: Cursor,
): AsyncGenerator<SourcePage<Cursor>, FilteredBy> {
  let pending: DocumentRef[] = [];
  const others = new ReasonCounter();
  async function* flush(): AsyncGenerator<SourcePage<Cursor>> {
    const batch = pending;
    pending = [];
    const known = await session.findKnown(batch.map(({ dedupeKey }) => dedupeKey));
    const fresh = batch.filter(({ dedupeKey }) => !known.has(dedupeKey));
    for (let at = 0; at < fresh.length; at += DOCUMENTS_PER_PAGE) {
      session.signal.throwIfAborted();
      yield { documents: fresh.slice(at, at + DOCUMENTS_PER_PAGE), cursor };
    }
  }
  for await (const items of listing) {
    session.signal.throwIfAborted();
    for (const item of items) {
      const verdict = classify(item);
      if (typeof verdict === 'object') pending.push(verdict);
      else if (verdict !== 'ignored') others.count(verdict);
      if (pending.length >= KEYS_PER_LOOKUP) yield* flush();
    }
  }
  if (pending.length > 0) yield* flush();
  return others.counts;
}
