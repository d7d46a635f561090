import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { rejectionOf } from '../../../../test/harness/rejection-of';
import { documentsOf, useStripe } from '../../../../test/harness/connectors/use-stripe';
import { DocumentUnavailable, RateLimited, Transient } from '../../core/source-errors';

const stripe = useStripe();
const START = Date.parse('2026-01-01T00:00:00Z') / 1000;

describe('Opening a Stripe document', () => {
  const open = async () => {
    const opened = stripe.session();
    const [ref] = documentsOf(await stripe.pagesOf(opened));
    return stripe.download(opened, ref!);
  };
  const read = () => open().then(({ stream }) => buffer(stream));

  it('downloads the PDF without sending the key to its host', async () => {
    const content = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(2_000_000)]);
    stripe.shop.invoice(START, { content });
    const { size, mimeType } = await open();
    expect([size, mimeType]).toEqual([content.length, 'application/pdf']);
    expect((await read()).equals(content)).toBe(true);
    // Nor after a redirect, even back to the API.
    stripe.server.downloadFault = () => ({ status: 302, headers: { location: `${stripe.server.url}/v1/account` } });
    stripe.server.requests.splice(0);
    expect(await rejectionOf(read())).toBeInstanceOf(DocumentUnavailable);
    expect(stripe.server.requests.at(-1)).toMatchObject({ path: '/v1/account' });
    expect(stripe.server.requests.at(-1)!.headers.authorization).toBeUndefined();
    expect(stripe.server.downloads.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('rejects addresses that the network guard does not allow', async () => {
    stripe.shop.invoice(START);
    const unavailable = { name: 'DocumentUnavailable', permanent: false };
    for (const location of ['http://10.1.2.3/', 'https://[fe80::1]/', 'ftp://127.0.0.1/']) {
      stripe.server.downloadFault = () => ({ status: 302, headers: { location } });
      expect(await rejectionOf(read())).toMatchObject(unavailable);
    }
    for (const origin of ['http://10.1.2.3', 'file://x']) {
      stripe.server.endpoints.pdfOrigin = origin;
      expect(await rejectionOf(read())).toMatchObject(unavailable);
    }
  });

  it('fails for partial and invalid PDFs', async () => {
    const invoice = stripe.shop.invoice(START);
    const cases = [
      [{ status: 200, body: '%PDF-1.7 lang', headers: { 'content-type': 'application/pdf' }, cutAfter: 4 }, Transient],
      [{ status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }, DocumentUnavailable],
      [{ status: 403 }, DocumentUnavailable],
      [{ status: 503 }, Transient],
      [{ status: 429 }, RateLimited],
    ] as const;
    for (const [fault, expected] of cases) {
      stripe.server.downloadFault = () => fault;
      expect([fault, await rejectionOf(read())]).toEqual([fault, expect.any(expected)]);
    }
    stripe.server.downloadFault = () => undefined;
    const opened = stripe.session();
    const [ref] = documentsOf(await stripe.pagesOf(opened));
    stripe.shop.remove(invoice);
    expect(await rejectionOf(stripe.download(opened, ref!))).toMatchObject({ permanent: true });
  });
});
