import { validateInvoice } from '../../../src/documents/e-invoice/validation/validate-invoice';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { useTestContext } from '../../harness/app/test-context';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { expectError } from '../../harness/http/expect-error';
import { sample } from '../../samples/e-invoices/sample';

interface Listed {
  readonly transaction_uuid: string;
  readonly metadata: { readonly e_invoice?: { readonly valid?: boolean; readonly errors?: number } };
}

describe('GET /v1/transactions/{transaction_uuid}/validation (decisions 4, verdict)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/transactions/${uuid}/validation`;
  const get = (uuid: string, lang = 'en') => context.client.request('get', path(uuid)).set('Lang', lang);
  let invoice: Listed;
  let plain: Listed;

  beforeAll(async () => {
    const connection = await connectionWithDocuments(context, { documents: 12 });
    const { body } = await context.client.request('get', `/v1/transactions?connection_uuid=${connection}`).expect(200);
    const listed = (body as { data: Listed[] }).data;
    invoice = listed.find(({ metadata }) => metadata.e_invoice?.valid !== undefined)!;
    plain = listed.find(({ metadata }) => metadata.e_invoice === undefined)!;
  });

  itRequiresAuthentication(context, {
    method: 'get',
    path: () => path(invoice.transaction_uuid),
    accepts: ['key', 'token'],
  });

  it('answers the rule set and no findings for a valid invoice', async () => {
    expect(invoice.metadata.e_invoice).toMatchObject({ valid: true, errors: 0, warnings: 0 });
    expect((await get(invoice.transaction_uuid).expect(200)).body).toEqual({
      data: {
        ruleset: { name: 'XRechnung', version: 'KoSIT 2.5.0, CEN 1.3.16' },
        valid: true,
        errors: 0,
        warnings: 0,
        findings: [],
      },
    });
  });

  it('answers 404 for a document that is no e-invoice', async () => {
    expectError(await get(plain.transaction_uuid), 404, 'VALIDATION_NOT_AVAILABLE');
  });

  it('says in the language of the request what is wrong', async () => {
    const report = validateInvoice(Buffer.from(sample('ubl-invoice')), 'urn:cen.eu:en16931:2017')!;
    await context.query('update transaction set validation = $2::jsonb where uuid = $1', [
      invoice.transaction_uuid,
      JSON.stringify(report),
    ]);
    const { body } = await get(invoice.transaction_uuid, 'de').expect(200);
    expect(body.data).toMatchObject({ valid: false, errors: report.errors });
    expect(body.data.findings).toContainEqual({
      rule: 'BR-CO-04',
      severity: 'FATAL',
      class: 'BUSINESS_RULE',
      term: 'BT-151',
      path: '/Invoice/cac:InvoiceLine[1]',
      message: 'Es fehlt: Umsatzsteuerkategorie der Position (BT-151).',
    });
    const english = (await get(invoice.transaction_uuid).expect(200)).body.data.findings as { message: string }[];
    expect(english.map(({ message }) => message)).toContain('VAT category of the item (BT-151) is missing.');
    for (const { message } of english) expect(message).not.toMatch(/e-invoice-rules|\{|undefined/);
  });

  describe('GET …/readable', () => {
    const readable = (uuid: string, lang = 'en') =>
      context.client.request('get', `/v1/transactions/${uuid}/readable`).set('Lang', lang);
    let xml: Listed;

    beforeAll(async () => {
      const { body } = await context.client.request('get', '/v1/transactions?limit=500').expect(200);
      const listed = (body as { data: (Listed & { document: { mime_type: string } })[] }).data;
      xml = listed.find(({ metadata, document }) => metadata.e_invoice && document.mime_type === 'application/xml')!;
    });

    itRequiresAuthentication(context, {
      method: 'get',
      path: () => `/v1/transactions/${xml.transaction_uuid}/readable`,
      accepts: ['key', 'token'],
    });

    it('answers a page without scripts in the language of the request', async () => {
      const { text, headers } = await readable(xml.transaction_uuid, 'de').expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-language': 'de',
        'cache-control': 'private, no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri/),
      });
      expect(text).toContain('<html lang="de">');
      expect(text).toContain('<h2>Verkäufer</h2>');
      expect(text).toContain(String((xml.metadata as { number?: string }).number));
      expect(text).toMatch(/Die Rechnung .* Regeln von (EN 16931|XRechnung) \(.*CEN 1\.3\.16\)/);
      expect(text).not.toMatch(/<script|readable\.|label\./);
      expect((await readable(xml.transaction_uuid).expect(200)).text).toContain('<h2>Seller</h2>');
    });

    it('answers 404 for a document that is no XML, and once the content is purged', async () => {
      expectError(await readable(plain.transaction_uuid), 404, 'READABLE_NOT_AVAILABLE');
      expectError(await readable(plain.transaction_uuid, 'de'), 404, 'READABLE_NOT_AVAILABLE', {}, 'de');
      await context.query('update transaction set available_until = $2 where uuid = $1', [
        xml.transaction_uuid,
        '2020-01-01',
      ]);
      expectError(await readable(xml.transaction_uuid), 404, 'DOCUMENT_NOT_AVAILABLE');
    });
  });
});
