import { randomBytes } from 'node:crypto';
import { bearer, type FakeCall, type FakeDeclaration, NOT_FOUND, pdf } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const TYPES = ['invoice', 'purchaseinvoice', 'creditnote', 'purchasecreditnote', 'downpaymentinvoice', 'salesinvoice'];
/** The most that a search returns. */
const MOST = 10_000;
const uuid = (kind: number, n: number): string => `00000000-0000-4000-8000-${kind}${String(n).padStart(11, '0')}`;
const fileOf = ({ id }: Entry): string => uuid(3, Number(id.slice(-11)));

/** The vouchers that a search finds, by whole days in Germany. */
function found({ account, query }: FakeCall): readonly Entry[] {
  const types = (query.get('voucherType') ?? '').split(',');
  const from = query.get('updatedDateFrom') ?? '';
  const [by = 'voucherDate', order = 'ASC'] = (query.get('sort') ?? '').split(',');
  return account
    .of('vouchers')
    .filter(({ record }) => types.includes(String(record['voucherType'])))
    .filter(({ record }) => String(record['updatedDate']).slice(0, 10) >= from)
    .sort((a, b) => String(a.record[by]).localeCompare(String(b.record[by])) * (order === 'ASC' ? 1 : -1))
    .slice(0, MOST);
}

const document =
  (type: string) =>
  ({ account, params }: FakeCall) => {
    const entry = account.find('vouchers', params['id']);
    if (entry?.record['voucherType'] !== type) return NOT_FOUND;
    return entry.record['voucherStatus'] === 'draft' ? { status: 409, json: { message: 'draft' } } : pdf(entry);
  };

/** The vouchers of a Lexware Office organization: all types in one list, and files of bookkeeping vouchers. */
export const fake: FakeDeclaration = {
  description: 'lexware-office.openapi.yaml',
  base: '',
  key: {
    create: () => randomBytes(24).toString('base64url'),
    fields: (key) => ({ api_key: key }),
    of: bearer,
  },
  step2: () => ({ kinds: ['invoice', 'credit_note', 'received'] }),
  document(n, day) {
    const id = uuid(1, n);
    const at = `${day}T10:00:00.${String(n % 1000).padStart(3, '0')}+01:00`;
    const record = {
      id,
      voucherType: TYPES[n % TYPES.length],
      voucherStatus: 'open',
      voucherNumber: `RE-${n}`,
      voucherDate: `${day}T00:00:00.000+01:00`,
      createdDate: at,
      updatedDate: at,
      dueDate: `${day}T00:00:00.000+01:00`,
      contactId: null,
      contactName: 'Müller GmbH',
      totalAmount: 119,
      openAmount: 119,
      currency: 'EUR',
      archived: false,
    };
    return { list: 'vouchers', id, record };
  },
  others(account) {
    const { list, record } = this.document(0, '2026-01-31', account);
    const changes = [{ voucherStatus: 'draft' }, { voucherType: 'quotation' }, { voucherType: 'deliverynote' }];
    for (const [n, each] of changes.entries()) {
      const id = uuid(2, n);
      account.put({ list, id, record: { ...record, id, ...each } });
    }
  },
  routes: {
    'GET /v1/profile': ({ account: { number } }) => ({
      json: { organizationId: uuid(9, number), companyName: 'Läden GmbH', taxType: 'net', smallBusiness: false },
    }),
    'GET /v1/voucherlist': (call) => {
      const parameters = { number: 'page', first: 0 as const, size: 'size', standard: 25, largest: 250 };
      const { entries, number, size, total, pages, hasMore } = call.page(found(call), parameters);
      const content = entries.map(({ record }) => record);
      const position = { first: number === 0, last: !hasMore, number, size, numberOfElements: entries.length };
      return { json: { content, ...position, totalPages: pages, totalElements: total } };
    },
    'GET /v1/invoices/{id}/file': document('invoice'),
    'GET /v1/down-payment-invoices/{id}/file': document('downpaymentinvoice'),
    'GET /v1/credit-notes/{id}/file': document('creditnote'),
    'GET /v1/vouchers/{id}': ({ account, params }) => {
      const entry = account.find('vouchers', params['id']);
      if (!entry) return NOT_FOUND;
      const { id, voucherType, voucherStatus } = entry.record;
      return { json: { id, type: voucherType, voucherStatus, files: [fileOf(entry)] } };
    },
    'GET /v1/files/{id}': ({ account, params }) =>
      pdf(account.of('vouchers').find((entry) => fileOf(entry) === params['id'])),
  },
};
