import type { ListParameters, StripeDocument, StripeList } from './stripe-api';

/** 1 January 2010, before Stripe existed. */
const BEGINNING = 1_262_304_000;

export interface AscendingPage {
  readonly documents: readonly StripeDocument[];
  /** All documents created before this time (seconds) have been yielded; null while that is not certain. */
  readonly until: number | null;
}

/**
 * Reads a list that the provider returns newest first in ascending order: a time span with more than one page is bisected. The
 * yielded documents are complete up to some time, wherever the listing is interrupted. For a second with more than one page, all
 * pages are yielded before that time advances.
 */
export async function* ascendingPages(
  read: (parameters: ListParameters) => Promise<StripeList>,
  from = BEGINNING,
): AsyncGenerator<AscendingPage> {
  const spans: { from: number; before?: number }[] = [{ from }];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const page = await read(span);
    const newest = page.data[0]?.created ?? span.from;
    const end = span.before ?? newest + 1;
    if (!page.has_more) yield { documents: page.data.toReversed(), until: end };
    else if (end - span.from > 1) {
      const middle = Math.floor((span.from + end) / 2);
      spans.push({ ...span, from: middle }, { from: span.from, before: middle });
    } else yield* oneSecond(read, span, page, end);
  }
}

async function* oneSecond(
  read: (parameters: ListParameters) => Promise<StripeList>,
  span: { from: number; before?: number },
  first: StripeList,
  end: number,
): AsyncGenerator<AscendingPage> {
  let page = first;
  while (page.has_more) {
    yield { documents: page.data, until: null };
    page = await read({ ...span, after: page.data.at(-1)!.id });
  }
  yield { documents: page.data, until: end };
}
