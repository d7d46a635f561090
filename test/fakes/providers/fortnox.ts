import { type FakeCall, type FakeDeclaration, NOT_FOUND, type PageParameters, pdf } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const PAGE: PageParameters = { number: 'page', size: 'limit', standard: 100, largest: 500, statesLength: false };
const records = (entries: readonly Entry[]) => entries.map(({ record }) => record);
const fileOf = (id: string): string => `file-${id}`;

/** Changed since a time in Sweden; the fake's invoices are changed when they are issued. */
function invoices({ account, query, page }: FakeCall) {
  const since = query.get('lastmodified')?.slice(0, 10) ?? '';
  const found = account.of('invoices').filter(({ record }) => String(record['InvoiceDate']) >= since);
  return { json: { Invoices: records(page(found, PAGE).entries) } };
}

/** The invoices, supplier invoices and file connections of a Fortnox company. */
export const fake: FakeDeclaration = {
  description: 'fortnox.openapi.json',
  generalParameters: ['page', 'limit', 'supplierinvoicenumber'],
  base: '',
  oauth: {
    authorize: '/oauth-v1/auth',
    token: '/oauth-v1/token',
    scopes: ['companyinformation', 'invoice', 'supplierinvoice', 'connectfile', 'archive'],
    expiresIn: 3_600,
    rotates: true,
    tellsScopes: true,
    isOffline: (query) => query.get('access_type') === 'offline',
  },
  step2: () => ({ kinds: ['invoice', 'credit_note', 'received'] }),
  document(n, day) {
    const id = String(1 + n);
    const common = { Booked: true, Currency: 'SEK', InvoiceDate: day, DueDate: day };
    if (n % 2 === 0) {
      const own = { DocumentNumber: id, Cancelled: false, CustomerName: 'Müller AB', Total: 125, Balance: 125 };
      return { list: 'invoices', id, record: { ...common, ...own } };
    }
    const number = { GivenNumber: id, InvoiceNumber: `L-${n}`, SupplierNumber: '7', SupplierName: 'Läden AB' };
    const own = { Cancel: false, Credit: false, Total: '250', Balance: '250' };
    return { list: 'supplierinvoices', id, record: { ...common, ...number, ...own } };
  },
  others(account) {
    const changes = [{ Booked: false }, { Cancel: true }, { Cancelled: true }];
    for (const [n, each] of changes.entries()) {
      const { list, record } = this.document(n, '2026-01-31', account);
      const id = String(900_000 + n);
      const number = list === 'invoices' ? { DocumentNumber: id } : { GivenNumber: id };
      account.put({ list, id, record: { ...record, ...number, ...each } });
    }
  },
  routes: {
    'GET /3/companyinformation': ({ account: { number } }) => ({
      json: { CompanyInformation: { CompanyName: 'Müller AB', DatabaseNumber: number } },
    }),
    'GET /3/invoices': invoices,
    'GET /3/invoices/{id}/preview': ({ account, params }) => pdf(account.find('invoices', params['id'])),
    'GET /3/supplierinvoices': ({ account, page }) => ({
      json: { SupplierInvoices: records(page(account.of('supplierinvoices'), PAGE).entries) },
    }),
    'GET /3/supplierinvoicefileconnections': ({ account, query }) => {
      const SupplierInvoiceNumber = query.get('supplierinvoicenumber')!;
      const entry = account.find('supplierinvoices', SupplierInvoiceNumber);
      const connection = { FileId: fileOf(SupplierInvoiceNumber), Name: 'Faktura.pdf', SupplierInvoiceNumber };
      return { json: { SupplierInvoiceFileConnections: entry ? [connection] : [] } };
    },
    'GET /3/archive/{id}': ({ account, params }) => {
      const entry = account.of('supplierinvoices').find(({ id }) => fileOf(id) === params['id']);
      return entry ? pdf(entry) : NOT_FOUND;
    },
  },
};
