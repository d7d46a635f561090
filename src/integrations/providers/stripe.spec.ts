import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { FakeStripe } from '../../../test/fakes/stripe/fake-stripe';
import type { StripeState } from '../../../test/fakes/stripe/stripe-state';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/open-session';
import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import {
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { validateFields } from '../core/validate-fields';

import { declareIntegration } from '../declarative/declare-integration';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { integration: stripe, manifestErrors } = declareIntegration(
  'stripe.yaml',
  readFileSync(join(__dirname, 'stripe.yaml'), 'utf8'),
);

const at = (moment: string): number => Date.parse(moment) / 1000;
const START = at('2026-01-01T00:00:00Z');
const DAY = 86_400;

let server: FakeStripe;
let shop: StripeState;
let key: string;
const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
const sessions: OpenSession[] = [];

function session(
  given: { key?: string; zone?: string; kinds?: string[]; known?: readonly string[] } = {},
): OpenSession {
  const input = { api_key: given.key ?? key, ...(given.zone && { time_zone: given.zone }) };
  const { values, invalidFields } = validateFields(stripe.step1, input);
  expect(invalidFields).toEqual([]);
  const opened = openSession({
    fields: values,
    step2: given.kinds ? { kinds: given.kinds } : {},
    network,
    signal: new AbortController().signal,
    now: () => new Date('2026-11-20T10:00:00Z'),
    apiBaseUrl: server.url,
    findKnown: (keys) => Promise.resolve(new Set(keys.filter((each) => given.known?.includes(each)))),
  });
  sessions.push(opened);
  return opened;
}

async function pagesOf(
  opened = session(),
  cursor: Json = null,
  startdate: string | null = null,
): Promise<SourcePage[]> {
  const pages: SourcePage[] = [];
  for await (const page of stripe.list(opened, JSON.parse(JSON.stringify(cursor)) as Json, startdate)) pages.push(page);
  return pages;
}
const idsOf = (pages: readonly SourcePage[]): string[] =>
  pages.flatMap(({ documents }) => documents.map(({ dedupeKey }) => dedupeKey));
const documentsOf = (pages: readonly SourcePage[]): DocumentRef[] => pages.flatMap(({ documents }) => [...documents]);

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error,
  );

beforeEach(async () => {
  server = await FakeStripe.start();
  shop = server.account();
  key = shop.key();
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});
afterAll(() => network.close());

it('has no errors', () => expect(manifestErrors).toEqual([]));

describe('The account of a Stripe key', () => {
  it('is determined with and without permission; test data is a separate account', async () => {
    shop.invoice(START);
    const account = await stripe.check(session());
    expect(account).toEqual({ id: shop.id, display: 'shop@example.com' });
    expect(await stripe.check(session({ key: shop.key(['invoices', 'credit_notes']) }))).toMatchObject({ id: shop.id });
    expect(await stripe.check(session({ key: shop.key(undefined, 'test') }))).toMatchObject({ id: `${shop.id}:test` });
  });

  it('requires a permission when it cannot be determined, like the selected kinds', async () => {
    expect(await failure(stripe.check(session({ key: shop.key(['invoices', 'credit_notes']) })))).toBeInstanceOf(
      PermissionMissing,
    );
    const narrow = shop.key(['invoices', 'account']);
    expect(await failure(stripe.check(session({ key: narrow })))).toBeInstanceOf(PermissionMissing);
    expect(await stripe.check(session({ key: narrow, kinds: ['invoice'] }))).toMatchObject({ id: shop.id });
  });

  it('distinguishes a rejected key from transient errors', async () => {
    shop.keys.delete(key);
    expect(await failure(stripe.check(session()))).toBeInstanceOf(InvalidCredentials);
    shop.keys.set(key, new Set(['invoices', 'credit_notes', 'account']));
    const manifestErrors = [
      [{ status: 429, headers: { 'retry-after': '7' } }, RateLimited],
      [{ status: 500 }, Transient],
      [{ status: 409 }, Transient],
      [{ status: 200, cutAfter: 1 }, Transient],
    ] as const;
    for (const [fault, expected] of manifestErrors) {
      server.fault = () => fault;
      const error = await failure(stripe.check(session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe(7);
      expect(String(error)).not.toContain(key);
    }
  });
});

describe('The documents of a Stripe account', () => {
  it('are its finalized invoices and credit notes, with metadata', async () => {
    const made = at('2026-03-31T22:30:00Z');
    const paidAt = at('2026-04-03T08:00:00Z');
    const invoice = shop.invoice(made - 3600, {
      status: 'paid',
      paid: 11900,
      remaining: 0,
      paidAt,
      dueDate: made + 14 * DAY,
    });
    shop.invoice(made, { currency: 'jpy', total: 500, net: null, paid: 100, remaining: 400 });
    shop.invoice(made + 1, { status: 'void', total: -100 });
    shop.creditNote(made + 2, { effectiveAt: null, invoice: invoice.id, total: 1190, net: 1000, number: 'A-1-CN-01' });
    shop.draft(made);
    const supplier = { name: 'Läden & Co GmbH', country: 'DE' };
    const customer = { name: 'Jane Doe', email: 'jane@example.com', country: 'AT', vat_id: 'ATU12345678' };
    const parties = { supplier, customer, source: { kind: 'portal' } };
    const documents = documentsOf(await pagesOf(session({ zone: 'Europe/Berlin' })));
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
    const late = shop.draft(at('2026-01-15T12:00:00Z'));
    shop.finalize(late, at('2026-03-31T22:30:00Z'));
    const early = shop.draft(at('2026-03-31T20:00:00Z'));
    shop.finalize(early, at('2026-03-31T21:30:00Z'));
    const near = shop.draft(at('2026-03-10T12:00:00Z'));
    shop.finalize(near, at('2026-03-31T22:30:00Z'));
    const open = shop.draft(at('2025-06-01T00:00:00Z'));
    const first = await pagesOf(session({ zone: 'Europe/Berlin' }), null, '2026-04-01');
    expect(idsOf(first)).toEqual([near.id]);
    expect(idsOf(await pagesOf(session(), null, '2026-04-01'))).toEqual([]);
    shop.finalize(open, at('2026-04-05T00:00:00Z'));
    const known = [near.id];
    const next = await pagesOf(session({ zone: 'Europe/Berlin', known }), first.at(-1)!.cursor, '2026-04-01');
    expect(idsOf(next)).toEqual([open.id]);
  });
});

describe('Listing a Stripe account', () => {
  it('lists the oldest first, and resumes from any page without gap or repetition', async () => {
    for (let n = 0; n < 450; n++) shop.invoice(START + Math.floor(n ** 2.2));
    // More than one page of a single second.
    for (let n = 0; n < 230; n++) shop.creditNote(START + 1000);
    const pages = await pagesOf();
    const all = idsOf(pages);
    expect(all).toHaveLength(680);
    expect(new Set(all).size).toBe(680);
    const invoices = all.filter((id) => id.startsWith('in_'));
    expect(invoices).toEqual(invoices.toSorted());
    for (const [index, { cursor }] of pages.entries()) {
      if (index % 3 !== 0 && index !== pages.length - 1) continue;
      const known = idsOf(pages.slice(0, index + 1));
      const rest = idsOf(await pagesOf(session({ known }), cursor));
      expect([...known, ...rest].sort()).toEqual(all.toSorted());
    }
  });

  it('needs few requests when nothing is new', async () => {
    for (let n = 0; n < 450; n++) shop.invoice(START + n * DAY);
    const pages = await pagesOf();
    server.requests.splice(0);
    expect(idsOf(await pagesOf(session({ known: idsOf(pages) }), pages.at(-1)!.cursor))).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('yields a draft after it is finalized, and forgets a deleted one', async () => {
    const draft = shop.draft(START);
    const doomed = shop.draft(START + 1);
    for (let n = 0; n < 150; n++) shop.invoice(START + 60 + n * DAY);
    const first = await pagesOf();
    const known = idsOf(first);
    const second = await pagesOf(session({ known }), first.at(-1)!.cursor);
    expect(idsOf(second)).toEqual([]);
    shop.finalize(draft, START + 200 * DAY);
    shop.remove(doomed);
    const third = await pagesOf(session({ known }), second.at(-1)!.cursor);
    expect(idsOf(third)).toEqual([draft.id]);
    expect(third.at(-1)!.cursor).toMatchObject({ invoice: { waiting: {} } });
  });

  it('yields all drafts, also above the limit', async () => {
    const drafts = Array.from({ length: 1100 }, (_, n) => shop.draft(START + n * 60));
    for (let n = 0; n < 20; n++) shop.invoice(START + 300 * DAY + n);
    const first = await pagesOf();
    for (const draft of drafts) shop.finalize(draft, START + 301 * DAY);
    const second = await pagesOf(session({ known: idsOf(first) }), first.at(-1)!.cursor);
    expect(new Set(idsOf(second))).toEqual(new Set(drafts.map(({ id }) => id)));
  });
});

describe('Opening a Stripe document', () => {
  const open = async () => {
    const opened = session();
    const [ref] = documentsOf(await pagesOf(opened));
    return stripe.download(opened, ref!);
  };
  const read = () => open().then(({ stream }) => buffer(stream));

  it('downloads the PDF without sending the key to its host', async () => {
    const content = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(2_000_000)]);
    shop.invoice(START, { content });
    const { size, mimeType } = await open();
    expect([size, mimeType]).toEqual([content.length, 'application/pdf']);
    expect((await read()).equals(content)).toBe(true);
    // Nor after a redirect, even back to the API.
    server.downloadFault = () => ({ status: 302, headers: { location: `${server.url}/v1/account` } });
    server.requests.splice(0);
    expect(await failure(read())).toBeInstanceOf(DocumentUnavailable);
    expect(server.requests.at(-1)).toMatchObject({ path: '/v1/account' });
    expect(server.requests.at(-1)!.headers.authorization).toBeUndefined();
    expect(server.downloads.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('rejects addresses that the network guard does not allow', async () => {
    shop.invoice(START);
    const unavailable = { name: 'DocumentUnavailable', permanent: false };
    for (const location of ['http://10.1.2.3/', 'https://[fe80::1]/', 'ftp://127.0.0.1/']) {
      server.downloadFault = () => ({ status: 302, headers: { location } });
      expect(await failure(read())).toMatchObject(unavailable);
    }
    for (const origin of ['http://10.1.2.3', 'file://x']) {
      server.endpoints.pdfOrigin = origin;
      expect(await failure(read())).toMatchObject(unavailable);
    }
  });

  it('fails for partial and invalid PDFs', async () => {
    const invoice = shop.invoice(START);
    const cases = [
      [{ status: 200, body: '%PDF-1.7 lang', headers: { 'content-type': 'application/pdf' }, cutAfter: 4 }, Transient],
      [{ status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }, DocumentUnavailable],
      [{ status: 403 }, DocumentUnavailable],
      [{ status: 503 }, Transient],
      [{ status: 429 }, RateLimited],
    ] as const;
    for (const [fault, expected] of cases) {
      server.downloadFault = () => fault;
      expect([fault, await failure(read())]).toEqual([fault, expect.any(expected)]);
    }
    server.downloadFault = () => undefined;
    const opened = session();
    const [ref] = documentsOf(await pagesOf(opened));
    shop.remove(invoice);
    expect(await failure(stripe.download(opened, ref!))).toMatchObject({ permanent: true });
  });
});
