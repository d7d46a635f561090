import { type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND, pdf } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const TYPES = ['ACCREC', 'ACCRECCREDIT', 'ACCPAY', 'ACCPAYCREDIT'];
const uuid = (kind: number, n: number): string => `00000000-0000-4000-8000-${kind}${String(n).padStart(11, '0')}`;
const dateOf = (moment: string): string => `/Date(${Date.parse(moment)}+0000)/`;
const momentOf = ({ record }: Entry): number => Number(/\d+/.exec(String(record['UpdatedDateUTC']))![0]);
const isOwn = ({ account, headers }: FakeCall): boolean => headers['xero-tenant-id'] === uuid(9, account.number);

/** One page of a type, by the last change, of the organization in the header. */
function listed(call: FakeCall, list: string): FakeAnswer {
  const { account, headers, query, page } = call;
  const type = /^Type=="(\w+)"$/.exec(query.get('where') ?? '')?.[1];
  const since = Date.parse((headers['if-modified-since'] as string | undefined) ?? '1970-01-01');
  const found = account
    .of(list)
    .filter((entry) => entry.record['Type'] === type && momentOf(entry) >= since)
    .sort((a, b) => momentOf(a) - momentOf(b));
  const { entries, number, size, total, pages } = page(isOwn(call) ? found : [], {
    number: 'page',
    size: 'pageSize',
    standard: 100,
    largest: 1000,
  });
  const pagination = { page: number, pageSize: size, pageCount: pages, itemCount: total };
  return { json: { pagination, [list]: entries.map(({ record }) => record) } };
}

const found = (call: FakeCall): Entry | undefined =>
  isOwn(call) ? call.account.find(call.params['list']!, call.params['id']) : undefined;

/** Xero with its identity service: organizations in a header, dates in milliseconds, attachments in lists of their own. */
export const fake: FakeDeclaration = {
  description: { '/api.xro/2.0': 'xero-accounting.reduced.openapi.json', '': 'xero-identity.openapi.yaml' },
  base: '',
  oauth: {
    authorize: '/identity/connect/authorize',
    token: '/connect/token',
    scopes: ['offline_access', 'accounting.transactions.read', 'accounting.attachments.read'],
    expiresIn: 1_800,
    rotates: true,
    tellsScopes: true,
    isOffline: (query) => (query.get('scope') ?? '').includes('offline_access'),
  },
  step2: ({ number }) => ({ organization: [uuid(9, number)], kinds: ['invoice', 'credit_note', 'received'] }),
  document(n, day) {
    const Type = TYPES[n % TYPES.length]!;
    const list = Type.endsWith('CREDIT') ? 'CreditNotes' : 'Invoices';
    const id = uuid(1, n);
    const amounts = { SubTotal: 100, TotalTax: 20, Total: 120, CurrencyCode: 'GBP' };
    const times = { Date: dateOf(day), DueDate: dateOf(day), UpdatedDateUTC: dateOf(`${day}T10:00:00Z`) };
    // cspell:disable-next-line
    const common = { Type, Status: 'AUTHORISED', Contact: { Name: 'Müller Ltd', TaxNumber: 'GB123456789' } };
    const own =
      list === 'Invoices'
        ? { InvoiceID: id, InvoiceNumber: `INV-${n}`, AmountDue: 120 }
        : { CreditNoteID: id, CreditNoteNumber: `CN-${n}` };
    return { list, id, record: { ...common, ...amounts, ...times, ...own } };
  },
  others(account) {
    for (const [n, Status] of ['DRAFT', 'SUBMITTED', 'VOIDED', 'DELETED'].entries()) {
      const { list, record } = this.document(0, '2026-01-31', account);
      const id = uuid(2, n);
      account.put({ list, id, record: { ...record, InvoiceID: id, Status } });
    }
  },
  routes: {
    'GET /Connections': ({ account: { number } }) => ({
      json: [{ id: uuid(8, number), tenantId: uuid(9, number), tenantType: 'ORGANISATION', tenantName: 'Müller Ltd' }],
    }),
    'GET /api.xro/2.0/{list}': (call) => listed(call, call.params['list']!),
    'GET /api.xro/2.0/{list}/{id}/pdf': (call) => pdf(found(call)),
    'GET /api.xro/2.0/{list}/{id}/Attachments': (call) => {
      const AttachmentID = uuid(3, Number(found(call)?.id.slice(-9)));
      return found(call) ? { json: { Attachments: [{ AttachmentID, FileName: 'Beleg.pdf' }] } } : NOT_FOUND;
    },
    'GET /api.xro/2.0/{list}/{id}/Attachments/{child}': (call) => pdf(found(call)),
  },
};
