import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Contact, Entry, Model, SevdeskState } from './sevdesk-state';

export type SevdeskAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly bytes: Buffer; readonly mimeType: string };

export const refused = (status: number, message: string): SevdeskAnswer => ({
  status,
  json: { status: null, error: { message, code: null, data: null } },
});

const MODELS: readonly string[] = ['Invoice', 'CreditNote', 'Voucher'] satisfies Model[];
const NOT_LISTED = ['WKR', 'MA'];

/** The used methods of the API, as its description defines them. */
export class SevdeskEndpoints {
  /** The maximum length of a list. */
  page = 1000;
  /** The form of a PDF response: as described, inside `objects` like lists, or as the file itself. */
  pdfForm: 'described' | 'wrapped' | 'raw' = 'described';
  /** Whether a voucher of exactly the first or the last amount is in a ZIP; the description leaves it open. */
  hasInclusiveAmounts = true;
  /** Called before each list is built. */
  onList: (state: SevdeskState) => void = () => undefined;

  answer(state: SevdeskState, url: URL): SevdeskAnswer | Promise<SevdeskAnswer> {
    const [, model = '', id, method] = url.pathname.replace('/api/v1', '').split('/');
    if (state.hidden.has(model)) return refused(403, 'Forbidden');
    if (model === 'CheckAccount' && id === undefined) return this.checkAccounts(state);
    if (model === 'Export' && id === 'voucherZip') return this.voucherZip(state, url.searchParams);
    if (!MODELS.includes(model)) return refused(404, 'Not found');
    if (id === undefined) return this.list(state, model as Model, url.searchParams);
    const entry = state.entries.find((each) => each.id === id && each.model === model);
    if (!entry) return refused(400, `${model} not found`);
    if (model === 'Voucher') return { status: 200, json: { objects: [voucherResource(state, entry)] } };
    return method === 'getPdf' ? this.pdf(entry, url.searchParams) : refused(404, 'Not found');
  }

  private checkAccounts({ clientId }: SevdeskState): SevdeskAnswer {
    const account = { id: '1', objectName: 'CheckAccount', name: 'Bank', type: 'offline', currency: 'EUR' };
    return { status: 200, json: { objects: [{ ...account, sevClient: { id: clientId, objectName: 'SevClient' } }] } };
  }

  private list(state: SevdeskState, model: Model, query: URLSearchParams): SevdeskAnswer {
    this.onList(state);
    const limit = Number(query.get('limit') ?? 100);
    const offset = Number(query.get('offset') ?? 0);
    if (!(limit >= 1 && limit <= 1000)) return refused(400, 'limit has to be between 1 and 1000');
    const after = query.get('startDate');
    const found = state.entries.filter(
      (entry) =>
        entry.model === model &&
        (query.get('creditDebit') ?? entry.more['creditDebit'] ?? 'C') === (entry.more['creditDebit'] ?? 'C') &&
        (model !== 'Invoice' || query.get('showAll') === 'true' || !NOT_LISTED.includes(entry.type)) &&
        (after === null || Date.parse(`${entry.date}T00:00:00+01:00`) / 1000 >= Number(after)) &&
        (query.get('status') === null || entry.status === query.get('status')),
    );
    const order = query.get(model === 'Invoice' ? 'orderByInvoiceNumber' : 'orderByCreditNoteNumber');
    // Without an order the database returns them in any order; drafts have no number, which sorts before all numbers.
    if (order !== null)
      found.sort((a, b) => (a.number ?? '').localeCompare(b.number ?? '') * (order === 'DESC' ? -1 : 1));
    const embeds = (query.get('embed') ?? '').split(',').includes('contact');
    const objects = found
      .slice(offset, offset + Math.min(limit, this.page))
      .map((entry) => (model === 'Voucher' ? voucherResource(state, entry) : resource(state, entry, embeds)));
    return {
      status: 200,
      json: { ...(query.get('countAll') === 'true' && { total: String(found.length) }), objects },
    };
  }

  /** The files of the vouchers that a query describes. */
  private async voucherZip(state: SevdeskState, query: URLSearchParams): Promise<SevdeskAnswer> {
    const asked = (name: string) => query.get(`sevQuery[filter][${name}]`) ?? '';
    const found = state.entries.filter(
      ({ model, date, gross }) =>
        model === 'Voucher' &&
        asked('startDate').startsWith(date) &&
        isBetween(Number(gross), Number(asked('startAmount')), Number(asked('endAmount')), this.hasInclusiveAmounts),
    );
    const zip = new ZipFile();
    // With the present time, the same archive would have other bytes two seconds later.
    for (const { number, content, date } of found) zip.addBuffer(content, `${number}.pdf`, { mtime: new Date(date) });
    zip.end();
    const content = (await buffer(zip.outputStream)).toString('base64');
    const file = { filename: 'Belege.zip', mimetype: 'application/zip', base64Encoded: true, content };
    return { status: 200, json: { objects: file } };
  }

  private pdf(entry: Entry, query: URLSearchParams): SevdeskAnswer {
    if (query.get('preventSendBy') !== 'true') entry.isSent = true;
    if (this.pdfForm === 'raw') return { status: 200, bytes: entry.content, mimeType: 'application/pdf' };
    const file = {
      filename: `${entry.number ?? 'Entwurf'}.pdf`,
      mimeType: 'application/pdf',
      base64encoded: true,
      content: entry.content.toString('base64'),
    };
    // Slashes are escaped, as PHP does.
    const json = JSON.stringify(this.pdfForm === 'wrapped' ? { objects: file } : file).replaceAll('/', '\\/');
    return { status: 200, bytes: Buffer.from(json), mimeType: 'application/json; charset=utf-8' };
  }
}

const isBetween = (amount: number, first: number, last: number, isInclusive: boolean): boolean =>
  (amount > first && amount < last) || (isInclusive && (amount === first || amount === last));

function resource({ clientId }: SevdeskState, entry: Entry, embeds: boolean): Record<string, unknown> {
  const { id, model, number, date, status, type, contact, foreign } = entry;
  const moment = `${date}T00:00:00+01:00`;
  return {
    id,
    objectName: model,
    ...(model === 'Invoice'
      ? { invoiceNumber: number, invoiceDate: moment, invoiceType: type, timeToPay: '14', paidAmount: entry.paid }
      : { creditNoteNumber: number, creditNoteDate: moment }),
    status,
    create: entry.createdAt,
    update: entry.createdAt,
    sevClient: { id: clientId, objectName: 'SevClient' },
    contact: contact && contactResource(contact, clientId, embeds),
    deliveryDate: moment,
    header: `Nr. ${number ?? ''}`,
    smallSettlement: '0',
    showNet: '1',
    taxRate: '19',
    currency: entry.currency,
    sumNet: entry.net,
    sumTax: entry.tax,
    sumGross: entry.gross,
    sumNetForeignCurrency: foreign?.net ?? '0',
    sumTaxForeignCurrency: foreign?.tax ?? '0',
    sumGrossForeignCurrency: foreign?.gross ?? '0',
    ...entry.more,
  };
}

function contactResource({ id, ...contact }: Contact, clientId: string, embeds: boolean): Record<string, unknown> {
  const reference = { id, objectName: 'Contact' };
  return embeds ? { ...reference, ...contact, sevClient: { id: clientId, objectName: 'SevClient' } } : reference;
}

function voucherResource({ clientId }: SevdeskState, entry: Entry): Record<string, unknown> {
  const moment = `${entry.date}T00:00:00+01:00`;
  return {
    id: entry.id,
    objectName: 'Voucher',
    create: entry.createdAt,
    update: entry.createdAt,
    sevClient: { id: clientId, objectName: 'SevClient' },
    voucherDate: moment,
    supplier: null,
    supplierName: 'Büro & Co',
    description: entry.number,
    document: { id: `9${entry.id}`, objectName: 'Document' },
    payDate: entry.status === '1000' ? moment : null,
    status: entry.status,
    sumNet: entry.net,
    sumTax: entry.tax,
    sumGross: entry.gross,
    paidAmount: entry.paid,
    creditDebit: 'C',
    voucherType: 'VOU',
    currency: entry.currency,
    paymentDeadline: moment,
    deliveryDate: moment,
    ...entry.more,
  };
}
