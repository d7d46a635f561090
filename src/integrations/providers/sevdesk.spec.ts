import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FakeSevdesk } from '../../../test/fakes/sevdesk/fake-sevdesk';
import { refused } from '../../../test/fakes/sevdesk/sevdesk-endpoints';
import type { SevdeskState } from '../../../test/fakes/sevdesk/sevdesk-state';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/open-session';
import type { DocumentRef, Json } from '../core/source-document';
import {
  UnexpectedResponse,
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { declareIntegration } from '../declarative/declare-integration';

const { integration: sevdesk, manifestErrors } = declareIntegration(
  'sevdesk.yaml',
  readFileSync(join(__dirname, 'sevdesk.yaml'), 'utf8'),
);

const NOW = new Date('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;

let server: FakeSevdesk;
let books: SevdeskState;
let token: string;
let now = NOW;
const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
const sessions: OpenSession[] = [];

function session(given: { token?: string; kinds?: string[]; known?: readonly string[] } = {}): OpenSession {
  const { values, invalidFields } = validateFields(sevdesk.step1, { api_token: given.token ?? token });
  expect(invalidFields).toEqual([]);
  const opened = openSession({
    fields: values,
    step2: given.kinds ? { kinds: given.kinds } : {},
    network,
    signal: new AbortController().signal,
    now: () => now,
    apiBaseUrl: server.url,
    findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => given.known?.includes(key)))),
  });
  sessions.push(opened);
  return opened;
}

async function listed(opened = session(), cursor: Json = null, startdate: string | null = null) {
  const documents: DocumentRef[] = [];
  let last = cursor;
  for await (const page of sevdesk.list(opened, cursor, startdate)) {
    documents.push(...page.documents);
    last = page.cursor;
  }
  return { documents, cursor: last, ids: documents.map(({ externalId }) => externalId) };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error,
  );

beforeEach(async () => {
  now = NOW;
  server = await FakeSevdesk.start();
  books = server.account();
  token = books.token();
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});
afterAll(() => network.close());

it('has no errors', () => expect(manifestErrors).toEqual([]));

describe('The account of a sevdesk token', () => {
  it('is the same for all of its tokens, with and without documents', async () => {
    const empty = await sevdesk.check(session());
    books.invoice();
    expect(await sevdesk.check(session({ token: books.token() }))).toEqual(empty);
    expect(await sevdesk.check(session({ token: server.account().token() }))).not.toEqual(empty);
    expect(server.requests.every(({ userAgent }) => userAgent === 'Docfetch')).toBe(true);
  });

  it('distinguishes a rejected token, a missing permission and transient errors', async () => {
    books.tokens.delete(token);
    expect(await failure(sevdesk.check(session()))).toBeInstanceOf(InvalidCredentials);
    books.tokens.add(token);
    books.hidden.add('Invoice');
    expect(await failure(sevdesk.check(session()))).toBeInstanceOf(PermissionMissing);
    books.hidden.clear();
    const invalidFields = [
      [{ answer: refused(429, 'slow'), headers: { 'retry-after': '17' } }, RateLimited],
      [{ answer: refused(429, 'slow') }, RateLimited],
      [{ answer: refused(500, 'oops') }, Transient],
      [{ answer: refused(503, 'away') }, Transient],
      [{ answer: refused(400, 'what?') }, UnexpectedResponse],
      [{ answer: { status: 200, json: { objects: 'none' } } }, UnexpectedResponse],
      [{ cutAfter: 10 }, Transient],
    ] as const;
    for (const [fault, expected] of invalidFields) {
      server.fault = () => fault;
      const error = await failure(sevdesk.check(session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      expect(String(error)).not.toContain(token);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe('headers' in fault ? 17 : 60);
    }
  });
});

describe('The documents of a sevdesk account', () => {
  it('are its issued invoices and credit notes, with metadata', async () => {
    books.invoice({
      number: 'RE-1',
      date: '2026-11-02',
      status: '1000',
      paid: 119,
      more: { payDate: '2026-11-09T00:00:00+01:00' },
    });
    books.invoice({
      number: 'RE-2',
      status: '750',
      paid: 19,
      more: { deliveryDateUntil: '2026-11-30T00:00:00+01:00' },
    });
    const foreign = { gross: '1190.5', net: '1000', tax: '190.5' };
    const person = { id: '8', name: null, surename: 'Ærne', familyname: 'Ødegård' };
    books.invoice({ number: 'RE-3', currency: 'CHF', foreign, contact: person });
    books.invoice({ number: 'RE-4', type: 'SR', gross: '-119', net: '-100', tax: '-19', contact: null });
    books.creditNote({ number: 'GU/5', gross: '59.5', net: '50', tax: '9.5' });
    const draft = books.invoice({ status: '100' });
    books.invoice({ status: '50', type: 'WKR' });
    const { documents } = await listed();
    expect(documents.map(({ documentType, externalId }) => [documentType, externalId])).toEqual([
      ['invoice', expect.stringMatching(/^Invoice\/\d+$/)],
      ['invoice', expect.any(String)],
      ['invoice', expect.any(String)],
      ['credit_note', expect.stringMatching(/^Invoice\/\d+$/)],
      ['credit_note', expect.stringMatching(/^CreditNote\/\d+$/)],
    ]);
    const customer = { name: 'Müller & Söhne GmbH', vat_id: 'DE123456789' };
    const sums = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' };
    const source = { kind: 'accounting', modified_at: '2026-11-02T08:30:00.000Z' };
    const dates = { date: '2026-11-02', service_start: '2026-11-02' };
    const due_date = '2026-11-16';
    expect(documents.map(({ metadata }) => metadata)).toEqual([
      {
        number: 'RE-1',
        ...dates,
        due_date,
        ...sums,
        amount_due: '0.00',
        customer,
        source,
        payment: { status: 'PAID', date: '2026-11-09' },
      },
      {
        number: 'RE-2',
        ...dates,
        due_date,
        ...sums,
        amount_due: '100.00',
        customer,
        source,
        service_end: '2026-11-30',
        payment: { status: 'PARTIAL' },
      },
      {
        number: 'RE-3',
        ...dates,
        due_date,
        currency: 'CHF',
        amount: '1190.50',
        amount_net: '1000.00',
        amount_tax: '190.50',
        customer: { name: 'Ærne Ødegård' },
        source,
        payment: { status: 'OPEN' },
      },
      { number: 'RE-4', ...dates, ...sums, source, payment: { status: 'OPEN' } },
      {
        number: 'GU/5',
        ...dates,
        ...sums,
        amount: '59.50',
        amount_net: '50.00',
        amount_tax: '9.50',
        customer,
        source,
        payment: { status: 'OPEN' },
      },
    ]);
    expect(documents[4]!.filename).toBe('GU/5.pdf');
    expect(draft.isSent).toBe(false);
  });

  it('have no sums in euros beside a foreign currency', async () => {
    const foreign = { gross: '1190.5', net: '1000', tax: '190.5' };
    const more = { sumNetForeignCurrency: null, sumTaxForeignCurrency: undefined };
    books.invoice({ currency: 'CHF', foreign, more });
    const [document] = (await listed()).documents;
    expect(document!.metadata).toMatchObject({ currency: 'CHF', amount: '1190.50' });
    for (const name of ['amount_net', 'amount_tax', 'amount_due']) expect(document!.metadata).not.toHaveProperty(name);
  });

  it.each([['0'], ['0.00'], [0], [null]])('have the amount due without a foreign sum: %p', async (none) => {
    const more = { sumGrossForeignCurrency: none, sumNetForeignCurrency: none, sumTaxForeignCurrency: none };
    books.invoice({ paid: 19, more });
    const [document] = (await listed()).documents;
    const sums = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', amount_due: '100.00' };
    expect(document!.metadata).toMatchObject(sums);
  });

  it('omit amounts that would be misinterpreted', async () => {
    books.invoice({ gross: '-10', net: '-10', tax: '0' });
    const [document] = (await listed()).documents;
    expect(document).toMatchObject({ documentType: 'invoice' });
    expect(document!.metadata).not.toHaveProperty('amount');
    expect(document!.metadata).not.toHaveProperty('amount_net');
  });

  it('are of the selected kinds, and of others after these are selected', async () => {
    const invoice = books.invoice();
    const cancellation = books.invoice({ type: 'SR', gross: '-1' });
    const note = books.creditNote();
    const invoices = await listed(session({ kinds: ['invoice'] }));
    expect(invoices.ids).toEqual([`Invoice/${invoice.id}`]);
    const notes = await listed(session({ kinds: ['credit_note'] }), invoices.cursor);
    expect(notes.ids).toEqual([`Invoice/${cancellation.id}`, `CreditNote/${note.id}`]);
  });

  it('are dated on or after the start date in Berlin, or were created since with an earlier date', async () => {
    books.invoice({ date: '2026-09-30' });
    const first = books.invoice({ date: '2026-10-01' });
    const late = books.invoice({ date: '2026-09-29', createdAt: '2026-10-01T00:30:00+02:00' });
    books.invoice({ date: '2026-09-29', createdAt: '2026-09-30T23:30:00+02:00' });
    const { ids } = await listed(session(), null, '2026-10-01');
    expect(ids.sort()).toEqual([first, late].map(({ id }) => `Invoice/${id}`).sort());
  });
});

describe('The vouchers of a sevdesk account', () => {
  it('are those of something bought that have a file, with metadata', async () => {
    const paid = books.voucher({ number: 'ER 1', date: '2026-11-02' });
    books.voucher({ status: '50' });
    books.voucher({ more: { document: null } });
    books.voucher({ more: { voucherType: 'RV' } });
    books.voucher({ more: { creditDebit: 'D' } });
    const { documents, ids } = await listed(session({ kinds: ['received'] }));
    expect(ids).toEqual([`Voucher/${paid.id}`]);
    expect(documents[0]!.documentType).toBeUndefined();
    expect(documents[0]!.metadata).toEqual({
      number: 'ER 1',
      date: '2026-11-02',
      due_date: '2026-11-02',
      service_start: '2026-11-02',
      currency: 'EUR',
      amount: '119.00',
      amount_net: '100.00',
      amount_tax: '19.00',
      payment: { status: 'PAID', date: '2026-11-02' },
      supplier: { name: 'Büro & Co' },
      source: { kind: 'accounting', modified_at: '2026-11-02T08:30:00.000Z' },
    });
  });

  it('are downloaded from a ZIP, which is delivered as it is when it has several files', async () => {
    const content = Buffer.from('%PDF-1.7 received');
    books.voucher({ number: 'ER 1', gross: '59.50', content });
    books.voucher({ number: 'ER 2', gross: '7.00' });
    books.voucher({ number: 'ER 3', gross: '7.00' });
    const opened = session({ kinds: ['received'] });
    const { documents } = await listed(opened);
    const [single, ambiguous] = await Promise.all(documents.slice(0, 2).map((ref) => sevdesk.download(opened, ref)));
    expect(single).toMatchObject({ filename: 'ER 1.pdf' });
    expect((await buffer(single!.stream)).equals(content)).toBe(true);
    expect(ambiguous).toMatchObject({ filename: 'Belege.zip', mimeType: 'application/zip' });
    expect((await buffer(ambiguous!.stream)).subarray(0, 2).toString()).toBe('PK');
  });

  it.each([true, false])('are in it when the bounds of its amounts are inclusive: %s', async (isInclusive) => {
    server.endpoints.hasInclusiveAmounts = isInclusive;
    for (const gross of ['7.00', '0.5', '-20']) books.voucher({ number: `ER ${gross}`, gross });
    const opened = session({ kinds: ['received'] });
    const { documents } = await listed(opened);
    const files = await Promise.all(documents.map((ref) => sevdesk.download(opened, ref)));
    expect(files.map(({ filename }) => filename)).toEqual(['ER 7.00.pdf', 'ER 0.5.pdf', 'ER -20.pdf']);
  });
});

describe('Listing a sevdesk account again', () => {
  it('covers the last weeks, and once a day everything', async () => {
    const known = [`Invoice/${books.invoice({ date: '2025-01-01' }).id}`];
    const first = await listed();
    expect(first.ids).toEqual(known);
    const recent = books.invoice({ date: '2026-10-01' });
    const old = books.invoice({ date: '2025-02-01' });
    now = new Date(NOW.getTime() + 3_600_000);
    const second = await listed(session({ known }), first.cursor);
    expect(second.ids).toEqual([`Invoice/${recent.id}`]);
    known.push(...(second.ids as string[]));
    now = new Date(NOW.getTime() + DAY_MS);
    expect((await listed(session({ known }), second.cursor)).ids).toEqual([`Invoice/${old.id}`]);
  });

  it('yields a draft after it is issued, however old it is', async () => {
    const draft = books.invoice({ date: '2026-01-05', status: '100' });
    const first = await listed();
    expect(first.ids).toEqual([]);
    Object.assign(draft, { status: '200', number: 'RE-9' });
    now = new Date(NOW.getTime() + 2 * DAY_MS);
    expect((await listed(session(), first.cursor)).ids).toEqual([`Invoice/${draft.id}`]);
  });

  it('loses nothing when the list changes while it is read', async () => {
    server.endpoints.page = 10;
    const numbered = (n: number) => ({ number: `RE-${String(n).padStart(4, '0')}` });
    const doomed = books.invoice(numbered(0));
    const draft = books.invoice({ status: '100' });
    for (let n = 1; n <= 35; n++) books.invoice(numbered(n));
    let lists = 0;
    server.endpoints.onList = () => {
      lists += 1;
      if (lists === 2) books.remove(doomed);
      if (lists === 4) Object.assign(draft, { status: '200', number: 'RE-9999' });
    };
    const { ids } = await listed();
    expect(new Set(ids)).toEqual(new Set([doomed, ...books.entries].map(({ id }) => `Invoice/${id}`)));
  });

  it('lists everything again when the list keeps changing', async () => {
    server.endpoints.page = 5;
    for (let n = 0; n < 30; n++) books.invoice();
    server.endpoints.onList = () =>
      void books.entries.forEach((entry) => (entry.number = `RE-${randomBytes(4).toString('hex')}`));
    const first = await listed();
    server.endpoints.onList = () => undefined;
    now = new Date(NOW.getTime() + 60_000);
    const second = await listed(session({ known: first.ids as string[] }), first.cursor);
    expect(new Set([...first.ids, ...second.ids])).toEqual(new Set(books.entries.map(({ id }) => `Invoice/${id}`)));
    const partial = server.requests.filter(({ path, query }) => path.endsWith('/Invoice') && query.has('startDate'));
    expect(partial).toEqual([]);
  });
});

describe('Opening a sevdesk document', () => {
  const open = async () => {
    const opened = session();
    const [ref] = (await listed(opened)).documents;
    return sevdesk.download(opened, ref!);
  };

  it.each(['described', 'wrapped', 'raw'] as const)('returns its bytes, %s, and sends no mail', async (form) => {
    server.endpoints.pdfForm = form;
    const content = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(300_000)]);
    const entry = books.invoice({ number: 'RE-Ü 1', content });
    const { stream, filename, mimeType } = await open();
    expect(filename).toBe('RE-Ü 1.pdf');
    expect(mimeType).toBe('application/pdf');
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(entry.isSent).toBe(false);
  });

  it('uses constant memory, however large the document is', async () => {
    const size = 24 * 1024 * 1024;
    books.invoice({ content: Buffer.alloc(size, 'x') });
    const { stream } = await open();
    let read = 0;
    let largest = 0;
    for await (const part of stream) {
      read += (part as Buffer).length;
      largest = Math.max(largest, (part as Buffer).length);
    }
    expect(read).toBe(size);
    expect(largest).toBeLessThan(1024 * 1024);
  });

  it('reports the failure of one document for that document only', async () => {
    books.invoice();
    const answers = [
      [refused(400, 'Invoice was not found'), true],
      [refused(404, 'gone'), true],
      [refused(500, 'oops'), false],
    ] as const;
    for (const [answer, permanent] of answers) {
      server.fault = ({ path }) => (path.endsWith('/getPdf') ? { answer } : undefined);
      const error = await failure(open());
      expect(error).toBeInstanceOf(DocumentUnavailable);
      expect((error as DocumentUnavailable).permanent).toBe(permanent);
    }
  });

  it('fails for partial and invalid documents', async () => {
    books.invoice({ content: Buffer.alloc(500_000, 'x') });
    const isPdf = (path: string) => path.endsWith('/getPdf');
    const bytes = (json: string) => ({
      answer: { status: 200, bytes: Buffer.from(json), mimeType: 'application/json' },
    });
    const cases = [
      [{ cutAfter: 200_000 }, Transient],
      [bytes('{"mimeType":"application/pdf","content":"JVBER'), Transient],
      [bytes('{"content":""}'), DocumentUnavailable],
      [bytes('{"content":"no base64!"}'), DocumentUnavailable],
      [bytes('{"content":null}'), UnexpectedResponse],
      [bytes('<html>'), UnexpectedResponse],
    ] as const;
    for (const [fault, expected] of cases) {
      server.fault = ({ path }) => (isPdf(path) ? fault : undefined);
      const error = await failure(open().then(({ stream }) => buffer(stream)));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
    }
  });
});
