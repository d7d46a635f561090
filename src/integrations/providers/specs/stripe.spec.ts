import { rejectionOf } from '../../../../test/harness/rejection-of';
import { documentsOf, idsOf, useStripe } from '../../../../test/harness/connectors/use-stripe';
import { InvalidCredentials, PermissionMissing, RateLimited, Transient } from '../../core/source-errors';

const stripe = useStripe();
const at = (moment: string): number => Date.parse(moment) / 1000;
const START = at('2026-01-01T00:00:00Z');
const DAY = 86_400;

it('has no errors', () => expect(stripe.manifestErrors).toEqual([]));

describe('The account of a Stripe key', () => {
  it('is determined with and without permission; test data is a separate account', async () => {
    stripe.shop.invoice(START);
    const account = await stripe.check(stripe.session());
    expect(account).toEqual({ id: stripe.shop.id, display: 'shop@example.com' });
    expect(await stripe.check(stripe.session({ key: stripe.shop.key(['invoices', 'credit_notes']) }))).toMatchObject({
      id: stripe.shop.id,
    });
    expect(await stripe.check(stripe.session({ key: stripe.shop.key(undefined, 'test') }))).toMatchObject({
      id: `${stripe.shop.id}:test`,
    });
  });

  it('requires a permission when it cannot be determined, like the selected kinds', async () => {
    expect(
      await rejectionOf(stripe.check(stripe.session({ key: stripe.shop.key(['invoices', 'credit_notes']) }))),
    ).toBeInstanceOf(PermissionMissing);
    const narrow = stripe.shop.key(['invoices', 'account']);
    expect(await rejectionOf(stripe.check(stripe.session({ key: narrow })))).toBeInstanceOf(PermissionMissing);
    expect(await stripe.check(stripe.session({ key: narrow, kinds: ['invoice'] }))).toMatchObject({
      id: stripe.shop.id,
    });
  });

  it('distinguishes a rejected key from transient errors', async () => {
    stripe.shop.keys.delete(stripe.key);
    expect(await rejectionOf(stripe.check(stripe.session()))).toBeInstanceOf(InvalidCredentials);
    stripe.shop.keys.set(stripe.key, new Set(['invoices', 'credit_notes', 'account']));
    const manifestErrors = [
      [{ status: 429, headers: { 'retry-after': '7' } }, RateLimited],
      [{ status: 500 }, Transient],
      [{ status: 409 }, Transient],
      [{ status: 200, cutAfter: 1 }, Transient],
    ] as const;
    for (const [fault, expected] of manifestErrors) {
      stripe.server.fault = () => fault;
      const error = await rejectionOf(stripe.check(stripe.session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe(7);
      expect(String(error)).not.toContain(stripe.key);
    }
  });
});

describe('The documents of a Stripe account', () => {
  it('are its finalized invoices and credit notes, with metadata', async () => {
    const made = at('2026-03-31T22:30:00Z');
    const paidAt = at('2026-04-03T08:00:00Z');
    const invoice = stripe.shop.invoice(made - 3600, {
      status: 'paid',
      paid: 11900,
      remaining: 0,
      paidAt,
      dueDate: made + 14 * DAY,
    });
    stripe.shop.invoice(made, { currency: 'jpy', total: 500, net: null, paid: 100, remaining: 400 });
    stripe.shop.invoice(made + 1, { status: 'void', total: -100 });
    stripe.shop.creditNote(made + 2, {
      effectiveAt: null,
      invoice: invoice.id,
      total: 1190,
      net: 1000,
      number: 'A-1-CN-01',
    });
    stripe.shop.draft(made);
    const supplier = { name: 'Läden & Co GmbH', country: 'DE' };
    const customer = { name: 'Jane Doe', email: 'jane@example.com', country: 'AT', vat_id: 'ATU12345678' };
    const parties = { supplier, customer, source: { kind: 'portal' } };
    const documents = documentsOf(await stripe.pagesOf(stripe.session({ zone: 'Europe/Berlin' })));
    const date = '2026-04-01';
    expect(documents.map(({ metadata }) => metadata)).toEqual([
      {
        ...parties,
        number: invoice.number,
        date,
        due_date: '2026-04-15',
        currency: 'EUR',
        amount: '119.00',
        amount_net: '100.00',
        amount_tax: '19.00',
        amount_due: '0.00',
        payment: { status: 'PAID', date: '2026-04-03' },
      },
      {
        ...parties,
        number: 'A-000002',
        date,
        currency: 'JPY',
        amount: '500',
        amount_due: '400',
        payment: { status: 'PARTIAL' },
      },
      { ...parties, number: 'A-000003', date, currency: 'EUR' },
      {
        ...parties,
        number: 'A-1-CN-01',
        date,
        currency: 'EUR',
        amount: '11.90',
        amount_net: '10.00',
        amount_tax: '1.90',
        preceding_invoice: invoice.number,
      },
    ]);
    expect(documents.map(({ documentType }) => documentType)).toEqual(['invoice', 'invoice', 'invoice', 'credit_note']);
    expect(documents[0]).toMatchObject({ externalId: invoice.id, filename: `${invoice.number}.pdf` });
  });

  it('start with the start date in the selected time zone, by issue date', async () => {
    const late = stripe.shop.draft(at('2026-01-15T12:00:00Z'));
    stripe.shop.finalize(late, at('2026-03-31T22:30:00Z'));
    const early = stripe.shop.draft(at('2026-03-31T20:00:00Z'));
    stripe.shop.finalize(early, at('2026-03-31T21:30:00Z'));
    const near = stripe.shop.draft(at('2026-03-10T12:00:00Z'));
    stripe.shop.finalize(near, at('2026-03-31T22:30:00Z'));
    const open = stripe.shop.draft(at('2025-06-01T00:00:00Z'));
    const first = await stripe.pagesOf(stripe.session({ zone: 'Europe/Berlin' }), null, '2026-04-01');
    expect(idsOf(first)).toEqual([near.id]);
    expect(idsOf(await stripe.pagesOf(stripe.session(), null, '2026-04-01'))).toEqual([]);
    stripe.shop.finalize(open, at('2026-04-05T00:00:00Z'));
    const known = [near.id];
    const next = await stripe.pagesOf(
      stripe.session({ zone: 'Europe/Berlin', known }),
      first.at(-1)!.cursor,
      '2026-04-01',
    );
    expect(idsOf(next)).toEqual([open.id]);
  });
});
