import { createHash, randomBytes } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeCall,
  type FakeDeclaration,
  NOT_FOUND,
  type SentRequest,
} from '../described/declaration';

/** How long the fake accepts a signature, in seconds. */
const VALID_SECONDS = 30;

/** By how much the provider's clock is ahead of that of this computer. */
export const clock = { leadSeconds: 0 };
const now = (): number => Math.floor(Date.now() / 1000) + clock.leadSeconds;

/** The secrets of an application, which the fake does not need to store. */
export const secretsOf = (applicationKey: string) => ({
  application_secret: sha1(`secret of ${applicationKey}`).slice(0, 32),
  consumer_key: sha1(`consumer of ${applicationKey}`).slice(0, 32),
});
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const error = (status: number, errorCode: string, message: string): FakeAnswer => ({
  status,
  json: { errorCode, httpCode: String(status), message },
});

/** Why a request is not accepted; undefined when its signature is right. */
function refusalOf({ method, url, headers, body }: SentRequest): FakeAnswer | undefined {
  const key = String(headers['x-ovh-application']);
  const { application_secret: secret, consumer_key: consumer } = secretsOf(key);
  if (headers['x-ovh-consumer'] !== consumer) return error(403, 'NOT_CREDENTIAL', 'This credential does not exist');
  const time = String(headers['x-ovh-timestamp']);
  const isInTime = Math.abs(now() - Number(time)) <= VALID_SECONDS;
  if (!isInTime) return error(400, 'QUERY_TIME_OUT', 'Query out of time');
  const right = `$1$${sha1([secret, consumer, method, url.href, body, time].join('+'))}`;
  return headers['x-ovh-signature'] === right ? undefined : error(400, 'INVALID_SIGNATURE', 'Invalid signature');
}

const price = (value: number) => ({ currencyCode: 'EUR', text: `${value.toFixed(2)} €`, value });
/** The ids of a list, mixed, because the provider's have no useful order. */
const listed =
  (list: string) =>
  ({ account, query }: FakeCall): FakeAnswer => {
    const [from, to] = [query.get('date.from'), query.get('date.to')];
    const found = account
      .of(list)
      .filter(({ record }) => !from || Date.parse(String(record['date'])) >= Date.parse(from))
      .filter(({ record }) => !to || Date.parse(String(record['date'])) <= Date.parse(to));
    return { json: found.map(({ id }) => id).sort((a, b) => sha1(a).localeCompare(sha1(b))) };
  };
const single =
  (list: string) =>
  ({ account, params, fileUrl }: FakeCall): FakeAnswer => {
    const entry = account.find(list, params['id']);
    return entry ? { json: { ...entry.record, pdfUrl: fileUrl(entry) } } : NOT_FOUND;
  };

/** The bills, refunds and deposits of an OVHcloud customer: lists of ids, and signatures that are verified. */
export const fake: FakeDeclaration = {
  description: 'ovhcloud-me-bill.openapi.json',
  base: '/1.0',
  open: { 'GET /auth/time': () => ({ json: now() }) },
  key: {
    create: () => randomBytes(8).toString('hex'),
    fields: (key) => ({ application_key: key, ...secretsOf(key) }),
    of: (headers, _, sent) => (refusalOf(sent) ? undefined : String(headers['x-ovh-application'])),
    refused: (sent) => refusalOf(sent) ?? error(403, 'INVALID_KEY', 'This application key is invalid'),
    headers: ['x-ovh-application', 'x-ovh-consumer', 'x-ovh-signature'],
  },
  step2: () => ({ kinds: ['invoice', 'credit_note', 'receipt'] }),
  document(n, day) {
    const common = {
      date: `${day}T08:00:00+02:00`,
      orderId: 7000 + n,
      password: 'aB3d',
      url: `https://www.ovh.com/cgi-bin/order/displayOrder.cgi?orderId=${7000 + n}&orderPassword=aB3d`,
      pdfUrl: '',
    };
    const prices = { priceWithTax: price(11.9), priceWithoutTax: price(10), tax: price(1.9) };
    if (n % 5 === 3) {
      const id = `AV${n}`;
      return { list: 'refund', id, record: { ...common, ...prices, refundId: id, originalBillId: `FR${n - 1}` } };
    }
    if (n % 5 === 4) {
      const id = `DEP${n}`;
      return { list: 'deposit', id, record: { ...common, depositId: id, amount: price(50) } };
    }
    const id = `FR${n}`;
    return { list: 'bill', id, record: { ...common, ...prices, billId: id, category: 'autorenew' } };
  },
  routes: {
    'GET /me': ({ account: { number } }) => ({
      // cspell:disable-next-line
      json: { nichandle: `xy${number}-ovh`, email: 'a@example.com', organisation: 'Müller & Söhne GmbH' },
    }),
    'GET /me/bill': listed('bill'),
    'GET /me/bill/{id}': single('bill'),
    'GET /me/refund': listed('refund'),
    'GET /me/refund/{id}': single('refund'),
    'GET /me/deposit': listed('deposit'),
    'GET /me/deposit/{id}': single('deposit'),
  },
};
