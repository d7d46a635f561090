import type { Session } from '../../../core/integration';
import type { DocumentRef, Json, SourcePage } from '../../../core/source-document';

/** Keys per lookup of known documents: few queries, little memory. */
const KEYS_PER_LOOKUP = 500;
/** Documents per page. */
const DOCUMENTS_PER_PAGE = 100;

/** The result for a listed file: a document, excluded by the user's selection, or irrelevant to this listing. */
export type Verdict = DocumentRef | 'unwanted' | 'ignored';

/**
 * Yields pages of the new documents of a listing, all with the same cursor, which only moves when the listing is complete. Returns
 * the number of excluded files.
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
      if (verdict === 'unwanted') unwanted += 1;
      else if (verdict !== 'ignored') pending.push(verdict);
      if (pending.length >= KEYS_PER_LOOKUP) yield* flush();
    }
  }
  if (pending.length > 0) yield* flush();
  return unwanted;
}
