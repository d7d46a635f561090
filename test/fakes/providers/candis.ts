import {
  type FakeAnswer,
  type FakeCall,
  type FakeDeclaration,
  NOT_FOUND,
  type NewEntry,
} from '../described/declaration';
import type { Entry } from '../described/fake-account';

/** The list of an entry is the export that it belongs to. */
const POSTINGS_PER_EXPORT = 10;
const organizationOf = (number: number): string => `alpha-${number}`;
const idOf = (n: number): string => `e4cf0d1b-8514-4437-9b7f-${String(n).padStart(12, '0')}`;
const file = (id: string, name: string, type: string) => ({ id, name, type, url: `https://api.candis.io/files/${id}` });
const filesOf = ({ record }: Entry) => record['files'] as readonly ReturnType<typeof file>[];
const isOwn = ({ account, params }: FakeCall): boolean => params['organization'] === organizationOf(account.number);

/** Made on the latest day of its postings. */
function exportOf({ list }: Entry, { account }: FakeCall) {
  const days = account.of(list).map(({ record }) => String(record['invoiceDate']).slice(0, 10));
  const status = /^[A-Z_]+/.exec(list)?.[0] ?? 'EXPORTED';
  return { id: list, postingsCount: days.length, status, createdAt: `${days.sort().at(-1)}T12:00:00Z` };
}

function exportsPage(call: FakeCall): FakeAnswer {
  const { entries: all } = call.account;
  const firsts = isOwn(call) ? all.filter((entry, n) => all.findIndex(({ list }) => list === entry.list) === n) : [];
  const { entries, pages, size, total } = call.page(firsts, {
    offset: 'offset',
    size: 'limit',
    standard: 50,
    largest: 50,
  });
  const pagination = { pageCount: pages, pageSize: size, totalCount: total };
  return { json: { exports: entries.map((entry) => exportOf(entry, call)), pagination } };
}

function downloaded(call: FakeCall): FakeAnswer {
  const entry = call.account.entries.find((each) => filesOf(each).some(({ id }) => id === call.params['file']));
  if (!entry || !isOwn(call)) return NOT_FOUND;
  const { type } = filesOf(entry).find(({ id }) => id === call.params['file'])!;
  return { file: entry.content, type: type === 'XRECHNUNG' ? 'application/xml' : 'application/pdf' };
}

/** The exports of a Candis organization with their postings. */
export const fake: FakeDeclaration = {
  description: 'candis.openapi.json',
  base: '',
  oauth: {
    authorize: '/auth/realms/candis/protocol/openid-connect/auth',
    token: '/auth/realms/candis/protocol/openid-connect/token',
    scopes: ['exports', 'offline_access'],
    expiresIn: 1_209_600,
    rotates: false,
    tellsScopes: true,
    isOffline: (query) => (query.get('scope') ?? '').includes('offline_access'),
  },
  step2: ({ number }) => ({ organization: organizationOf(number), kinds: ['invoice', 'received'] }),
  document(n, day): NewEntry {
    const id = idOf(n);
    const common = {
      id,
      entityGuid: id,
      status: 'EXPORTED',
      amount: { value: 119, currencyCode: 'EUR' },
      invoiceId: `RE-${n}`,
      invoiceDate: `${day}T00:00:00Z`,
      files: [file(`audit-${n}`, 'audit.pdf', 'AUDIT_TRAIL'), file(`file-${n}`, `Beleg ${n}.pdf`, 'INVOICE')],
      url: `https://my.candis.io/alpha/archive/${id}`,
      splitPostings: [{ amount: 119, generalLedgerAccount: '8400' }],
    };
    const invoice = {
      type: 'DOCUMENT',
      contact: { name: 'Müller GmbH' },
      invoiceFormat: 'REGULAR',
      documentType: n % 3 === 1 ? 'Outgoing Invoice' : 'Incoming Invoice',
    };
    const reimbursement = {
      type: 'REIMBURSEMENT_ITEM',
      reason: 'Reise',
      reimbursementType: 'GENERAL_EXPENSE',
      employee: { name: 'Anna' },
      reimbursementDate: common.invoiceDate,
      reimbursementCase: { id: '1', title: 'Berlin' },
    };
    const list = `export-${Math.floor(n / POSTINGS_PER_EXPORT)}`;
    return { list, id, record: { ...common, ...(n % 3 === 2 ? reimbursement : invoice) } };
  },
  others(account) {
    for (const [at, status] of ['EXPORTING', 'FAILED'].entries()) {
      const { record } = this.document(900_000 + at * 3, '2026-01-31', account);
      account.put({ list: `${status}-1`, id: String(record['id']), record });
    }
  },
  routes: {
    'GET /v1/organizations/info': ({ account: { number } }) => ({
      json: { id: organizationOf(number), name: 'Alpha GmbH' },
    }),
    'GET /v1/organizations/{organization}/exports': exportsPage,
    'GET /v1/organizations/{organization}/exports/{export}/postings': (call) => {
      const { account, params } = call;
      const successfulPostings = isOwn(call) ? account.of(params['export']!).map(({ record }) => record) : [];
      return { json: { successfulPostings, failedPostings: [] } };
    },
    'GET /v1/organizations/{organization}/files/{file}': downloaded,
  },
};
