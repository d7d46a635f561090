import { createHmac, randomBytes } from 'node:crypto';
import { type FakeAnswer, type FakeDeclaration, NOT_FOUND, pdf, type SentRequest } from '../described/declaration';

/** How long Akamai accepts a signature, in seconds. */
const VALID_SECONDS = 30;
const HEADER =
  /^(EG1-HMAC-SHA256 client_token=([^;]+);access_token=([^;]+);timestamp=([^;]+);nonce=([^;]+);)signature=(\S+)$/;
const NOTHING: FakeAnswer = { status: 204, file: Buffer.alloc(0) };
const nonces = new Set<string>();

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64');
/** The secrets of an API client, which the fake does not need to store. */
export const secretsOf = (clientToken: string) => ({
  client_secret: hmac('secret', clientToken),
  access_token: `akab-access-${hmac('access', clientToken).replaceAll(/\W/g, '').slice(0, 16)}`,
});
const contractOf = (number: number): string => `C-000${number}`;
const problem = (status: number, title: string, detail: string): FakeAnswer => ({
  status,
  json: { type: 'https://problems.luna.akamaiapis.net/-/pep-authn/deny', title, status, detail },
  type: 'application/problem+json',
});

/** Why a GET is not accepted; undefined when its signature is right. */
function refusalOf({ method, url, headers }: SentRequest): FakeAnswer | undefined {
  const [, unsigned = '', client = '', access, time = '', nonce = '', signature] =
    HEADER.exec(String(headers['authorization'])) ?? [];
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d:\d\d:\d\d)\+0000$/, '$1-$2-$3Z'));
  if (!(Math.abs(Date.now() - at) <= VALID_SECONDS * 1000)) return problem(400, 'Bad request', 'Invalid timestamp');
  const { client_secret, access_token } = secretsOf(client);
  const text = [method, url.protocol.replace(':', ''), url.host, url.pathname + url.search, '', '', unsigned].join(
    '\t',
  );
  const isRight = access === access_token && signature === hmac(hmac(client_secret, time), text);
  if (!isRight || nonces.has(nonce)) return problem(401, 'Not authorized', 'The signature does not match');
  return undefined;
}

/** The invoices of an Akamai contract by month; signatures are verified, and a nonce is accepted once. */
export const fake: FakeDeclaration = {
  description: 'akamai-invoicing.openapi.json',
  base: '/invoicing-api/v3',
  key: {
    create: () => `akab-client-${randomBytes(8).toString('hex')}`,
    fields: (key, { number }) => ({
      contract_id: contractOf(number),
      host: `akab-host-${number}`,
      client_token: key,
      ...secretsOf(key),
    }),
    of(headers, _, sent) {
      if (refusalOf(sent)) return undefined;
      const [, , client, , , nonce] = HEADER.exec(String(headers['authorization']))!;
      nonces.add(nonce!);
      return client;
    },
    refused: (sent) => refusalOf(sent) ?? problem(401, 'Not authorized', 'Invalid authorization client token'),
  },
  step2: () => ({ kinds: ['invoice', 'credit_note'] }),
  document(n, day, { number }) {
    const id = String(17_331_000_000 + n);
    const record = {
      accountId: `A-${number}`,
      contractId: contractOf(number),
      invoiceId: Number(id),
      invoiceDate: day,
      invoiceDueDate: day,
      invoiceTotal: 50_000.42,
      invoiceCurrency: 'EUR',
      invoiceType: n % 4 === 3 ? 'CREDIT_MEMO' : 'INVOICE',
      files: [{ fileName: `Invoice_${id}.pdf`, fileFormat: 'PDF', fileVersion: 1 }],
    };
    return { list: 'invoices', id, record };
  },
  routes: {
    'GET /contracts/{contract}/invoices': ({ account, params, query }) => {
      if (params['contract'] !== contractOf(account.number)) return { status: 403, json: {} };
      const found = account
        .of('invoices')
        .filter(({ record }) => String(record['invoiceDate']).startsWith(query.get('month')!));
      return found.length === 0 ? NOTHING : { json: found.map(({ record }) => record) };
    },
    'GET /contracts/{contract}/invoices/{id}/download': ({ account, params, query }) => {
      if (params['contract'] !== contractOf(account.number)) return NOT_FOUND;
      return query.get('fileFormat') === 'PDF' ? pdf(account.find('invoices', params['id'])) : NOTHING;
    },
  },
};
