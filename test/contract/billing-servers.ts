import { FakeSevdesk } from '../fakes/sevdesk/fake-sevdesk';
import { refused as sevdeskRefused } from '../fakes/sevdesk/sevdesk-endpoints';
import { FakeStripe } from '../fakes/stripe/fake-stripe';
import { type ApiTestServer, withApiKey, type ConnectorTestServer } from './test-server';

const FILES = 115;
const VOUCHERS = 10;

export function sandbox(): Promise<ConnectorTestServer> {
  const fields = { user: 'contract', password: 'right', documents: 230, new_per_fetch: 0, document_size_kb: 4 };
  return Promise.resolve({
    fields,
    step2: {},
    refused: { ...fields, password: 'wrong' },
    documents: 230,
    addDocument: () => ({ ...fields, new_per_fetch: 1 }),
    stop: () => Promise.resolve(),
  });
}

/** Accepts the token that the portal knows. */
export function sandboxOAuth(): Promise<ConnectorTestServer> {
  const fields = { documents: 230, new_per_fetch: 0, document_size_kb: 4 };
  const consent = {
    account: 'contract@sandbox.example',
    scopes: ['documents.read'],
    isActive: true,
    isAffected: false,
  };
  return Promise.resolve({
    fields,
    step2: {},
    refused: { ...fields, document_size_kb: 5 },
    providerAccess: (isRefused) => ({
      apiBaseUrl: '',
      accessToken: () => Promise.resolve(isRefused ? 'no token' : 'a token'),
      portal: {
        placedAfter: () => Promise.resolve([]),
        consent: (token) => Promise.resolve(token === 'a token' ? consent : null),
      },
    }),
    documents: 230,
    addDocument: () => ({ ...fields, new_per_fetch: 1 }),
    stop: () => Promise.resolve(),
  });
}

export async function sevdesk(): Promise<ApiTestServer> {
  const server = await FakeSevdesk.start();
  server.endpoints.page = 30;
  const account = server.account();
  for (let n = 0; n < FILES; n++) {
    const date = `20${String(20 + (n % 6))}-0${1 + (n % 9)}-15`;
    if (n % 3) account.invoice({ date });
    else account.creditNote({ date });
  }
  // The file of a voucher is found by its day and amount.
  for (let n = 0; n < VOUCHERS; n++) account.voucher({ date: '2026-01-15', gross: `${n}.50` });
  const last = account.invoice({ date: '2026-10-01' });
  // None of these has been issued: a draft, and the template of a recurring invoice.
  account.invoice({ status: '100' });
  account.invoice({ status: '50', type: 'WKR' });
  const credentials = withApiKey(server, 'api_token', account.token(), '0123456789abcdef0123456789abcdef');
  return {
    ...credentials,
    step2: { kinds: ['invoice', 'credit_note', 'received'] },
    documents: FILES + VOUCHERS + 1,
    addDocument() {
      account.invoice({ date: new Date().toISOString().slice(0, 10) });
      return credentials.fields;
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined
          ? undefined
          : { answer: sevdeskRefused(429, 'Too many requests'), headers: { 'retry-after': String(seconds) } };
      };
    },
    removeDocument: () => account.remove(last),
  };
}

export async function stripe(): Promise<ApiTestServer> {
  const server = await FakeStripe.start();
  const account = server.account();
  const day = 86_400;
  const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
  for (let n = 0; n < FILES; n++) {
    if (n % 3) account.invoice(start + n * day);
    else account.creditNote(start + n * day);
  }
  const last = account.invoice(start + FILES * day);
  account.draft(start);
  const credentials = withApiKey(server, 'api_key', account.key(), 'rk_live_0123456789abcdef');
  return {
    ...credentials,
    step2: { kinds: ['invoice', 'credit_note'] },
    documents: FILES + 1,
    addDocument() {
      account.invoice(Math.floor(Date.now() / 1000));
      return credentials.fields;
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined ? undefined : { status: 429, headers: { 'retry-after': String(seconds) } };
      };
    },
    removeDocument: () => account.remove(last),
  };
}
