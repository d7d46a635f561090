import { idsOf, useStripe } from '../../../../test/harness/connectors/use-stripe';

const stripe = useStripe();
const START = Date.parse('2026-01-01T00:00:00Z') / 1000;
const DAY = 86_400;

describe('Listing a Stripe account', () => {
  it('lists the oldest first, and resumes from any page without gap or repetition', async () => {
    for (let n = 0; n < 450; n++) stripe.shop.invoice(START + Math.floor(n ** 2.2));
    // More than one page of a single second.
    for (let n = 0; n < 230; n++) stripe.shop.creditNote(START + 1000);
    const pages = await stripe.pagesOf();
    const all = idsOf(pages);
    expect(all).toHaveLength(680);
    expect(new Set(all).size).toBe(680);
    const invoices = all.filter((id) => id.startsWith('in_'));
    expect(invoices).toEqual(invoices.toSorted());
    for (const [index, { cursor }] of pages.entries()) {
      if (index % 3 !== 0 && index !== pages.length - 1) continue;
      const known = idsOf(pages.slice(0, index + 1));
      const rest = idsOf(await stripe.pagesOf(stripe.session({ known }), cursor));
      expect([...known, ...rest].sort()).toEqual(all.toSorted());
    }
  });

  it('needs few requests when nothing is new', async () => {
    for (let n = 0; n < 450; n++) stripe.shop.invoice(START + n * DAY);
    const pages = await stripe.pagesOf();
    stripe.server.requests.splice(0);
    expect(idsOf(await stripe.pagesOf(stripe.session({ known: idsOf(pages) }), pages.at(-1)!.cursor))).toEqual([]);
    expect(stripe.server.requests).toHaveLength(2);
  });

  it('yields a draft after it is finalized, and forgets a deleted one', async () => {
    const draft = stripe.shop.draft(START);
    const doomed = stripe.shop.draft(START + 1);
    for (let n = 0; n < 150; n++) stripe.shop.invoice(START + 60 + n * DAY);
    const first = await stripe.pagesOf();
    const known = idsOf(first);
    const second = await stripe.pagesOf(stripe.session({ known }), first.at(-1)!.cursor);
    expect(idsOf(second)).toEqual([]);
    stripe.shop.finalize(draft, START + 200 * DAY);
    stripe.shop.remove(doomed);
    const third = await stripe.pagesOf(stripe.session({ known }), second.at(-1)!.cursor);
    expect(idsOf(third)).toEqual([draft.id]);
    expect(third.at(-1)!.cursor).toMatchObject({ invoice: { waiting: {} } });
  });

  it('yields all drafts, also above the limit', async () => {
    const drafts = Array.from({ length: 1100 }, (_, n) => stripe.shop.draft(START + n * 60));
    for (let n = 0; n < 20; n++) stripe.shop.invoice(START + 300 * DAY + n);
    const first = await stripe.pagesOf();
    for (const draft of drafts) stripe.shop.finalize(draft, START + 301 * DAY);
    const second = await stripe.pagesOf(stripe.session({ known: idsOf(first) }), first.at(-1)!.cursor);
    expect(new Set(idsOf(second))).toEqual(new Set(drafts.map(({ id }) => id)));
  });
});
