import type { ListParameters, StripeDocument, StripeList } from './stripe-api';

/** Before Stripe was there: 1 January 2010. */
const BEGINNING = 1_262_304_000;

export interface AscendingPage {
  readonly documents: readonly StripeDocument[];
  /** Everything that was made before this moment (seconds) has been shown; null while that is not certain. */
  readonly until: number | null;
}

/**
 * A list that the provider gives out from its newest end, told from its oldest: a span of time that holds more than one page is
 * halved until it does not. So what has been shown is complete up to some moment, wherever the listing is cut. Of one second
 * with more than a page, all pages come before the moment moves.
 */
export async function* ascendingPages(
  read: (asked: ListParameters) => Promise<StripeList>,
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
  read: (asked: ListParameters) => Promise<StripeList>,
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
