import { buffer } from 'node:stream/consumers';
import { refused } from '../../../../test/fakes/sevdesk/sevdesk-endpoints';
import { rejectionOf } from '../../../../test/harness/rejection-of';
import { useSevdesk } from '../../../../test/harness/connectors/use-sevdesk';
import {
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
  UnexpectedResponse,
} from '../../core/source-errors';

const sevdesk = useSevdesk();

it('has no errors', () => expect(sevdesk.manifestErrors).toEqual([]));

describe('The account of a sevdesk token', () => {
  it('is the same for all of its tokens, with and without documents', async () => {
    const empty = await sevdesk.check(sevdesk.session());
    sevdesk.books.invoice();
    expect(await sevdesk.check(sevdesk.session({ token: sevdesk.books.token() }))).toEqual(empty);
    expect(await sevdesk.check(sevdesk.session({ token: sevdesk.server.account().token() }))).not.toEqual(empty);
    expect(sevdesk.server.requests.every(({ userAgent }) => userAgent === 'Docfetch')).toBe(true);
  });

  it('distinguishes a rejected token, a missing permission and transient errors', async () => {
    sevdesk.books.tokens.delete(sevdesk.token);
    expect(await rejectionOf(sevdesk.check(sevdesk.session()))).toBeInstanceOf(InvalidCredentials);
    sevdesk.books.tokens.add(sevdesk.token);
    sevdesk.books.hidden.add('Invoice');
    expect(await rejectionOf(sevdesk.check(sevdesk.session()))).toBeInstanceOf(PermissionMissing);
    sevdesk.books.hidden.clear();
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
      sevdesk.server.fault = () => fault;
      const error = await rejectionOf(sevdesk.check(sevdesk.session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      expect(String(error)).not.toContain(sevdesk.token);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe('headers' in fault ? 17 : 60);
    }
  });
});

describe('The vouchers of a sevdesk account', () => {
  it('are those of something bought that have a file, with metadata', async () => {
    const paid = sevdesk.books.voucher({ number: 'ER 1', date: '2026-11-02' });
    sevdesk.books.voucher({ status: '50' });
    sevdesk.books.voucher({ more: { document: null } });
    sevdesk.books.voucher({ more: { voucherType: 'RV' } });
    sevdesk.books.voucher({ more: { creditDebit: 'D' } });
    const { documents, ids } = await sevdesk.listed(sevdesk.session({ kinds: ['received'] }));
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
    sevdesk.books.voucher({ number: 'ER 1', gross: '59.50', content });
    sevdesk.books.voucher({ number: 'ER 2', gross: '7.00' });
    sevdesk.books.voucher({ number: 'ER 3', gross: '7.00' });
    const opened = sevdesk.session({ kinds: ['received'] });
    const { documents } = await sevdesk.listed(opened);
    const [single, ambiguous] = await Promise.all(documents.slice(0, 2).map((ref) => sevdesk.download(opened, ref)));
    expect(single).toMatchObject({ filename: 'ER 1.pdf' });
    expect((await buffer(single!.stream)).equals(content)).toBe(true);
    expect(ambiguous).toMatchObject({ filename: 'Belege.zip', mimeType: 'application/zip' });
    expect((await buffer(ambiguous!.stream)).subarray(0, 2).toString()).toBe('PK');
  });

  it.each([true, false])('are in it when the bounds of its amounts are inclusive: %s', async (isInclusive) => {
    sevdesk.server.endpoints.hasInclusiveAmounts = isInclusive;
    for (const gross of ['7.00', '0.5', '-20']) sevdesk.books.voucher({ number: `ER ${gross}`, gross });
    const opened = sevdesk.session({ kinds: ['received'] });
    const { documents } = await sevdesk.listed(opened);
    const files = await Promise.all(documents.map((ref) => sevdesk.download(opened, ref)));
    expect(files.map(({ filename }) => filename)).toEqual(['ER 7.00.pdf', 'ER 0.5.pdf', 'ER -20.pdf']);
  });
});
