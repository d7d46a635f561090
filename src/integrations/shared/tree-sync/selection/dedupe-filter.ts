import type { Session } from '../../../core/integration';
import type { DocumentRef, Json, SourcePage } from '../../../core/source-document';

/** So many files are asked about at once: few questions, little memory. */
const ASK = 500;
/** References a page. */
const PAGE = 100;

/** What becomes of a listed file: a document, one that the user does not want, or one that is none of this listing's business. */
export type Verdict = DocumentRef | 'unwanted' | 'ignored';

/**
 * Pages of those documents of a listing that are not known yet, all with the same cursor: until the listing is through,
 * nothing is counted as read. Returns how many files the user does not want.
 */
export async function* filterKnown<Item, Cursor extends Json>(
  session: Pick<Session, 'findKnown' | 'signal'>,
  listing: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  judge: (item: Item) => Verdict,
  cursor: Cursor,
): AsyncGenerator<SourcePage<Cursor>, number> {
  let waiting: DocumentRef[] = [];
  let unwanted = 0;
  async function* ask(): AsyncGenerator<SourcePage<Cursor>> {
    const asked = waiting;
    waiting = [];
    const known = await session.findKnown(asked.map(({ dedupeKey }) => dedupeKey));
    const fresh = asked.filter(({ dedupeKey }) => !known.has(dedupeKey));
    for (let at = 0; at < fresh.length; at += PAGE) {
      session.signal.throwIfAborted();
      yield { documents: fresh.slice(at, at + PAGE), cursor };
    }
  }
  for await (const items of listing) {
    session.signal.throwIfAborted();
    for (const item of items) {
      const verdict = judge(item);
      if (verdict === 'unwanted') unwanted += 1;
      else if (verdict !== 'ignored') waiting.push(verdict);
      if (waiting.length >= ASK) yield* ask();
    }
  }
  if (waiting.length > 0) yield* ask();
  return unwanted;
}
