import type { Connection, TimelineEntry, Transaction } from '@docfetch/sdk';
import type { Lang } from '../../../messages/date-format';
import { SAMPLE_INTEGRATION, SAMPLE_SOURCE } from './sample-ids';

const HOUR_MS = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const uuid = (number: number) => SAMPLE_SOURCE.replace(/\d$/, String(number));

function connection(number: number, name: string, integration: string, more: Partial<Connection>): Connection {
  return {
    ...{
      uuid: uuid(number),
      integration_id: integration,
      name,
      identity_uuid: uuid(0),
      status: 'ACTIVE',
      health: 'OK',
    },
    ...{ reason: null, setup_complete: true, account: null, fields: {}, startdate: null, webhook: false },
    last_fetch: { uuid: uuid(7), status: 'SUCCEEDED', finished_at: at(-2), documents_new: 3 },
    ...{ last_success_at: at(-2), next_fetch_at: at(22), failed_documents: 0, inbox_address: null },
    manual_fetches: { limit: 5, remaining: 5, resets_at: null },
    ...{ created_at: at(-2000), updated_at: at(-2) },
    ...more,
  };
}

/** One connection in each state that users see often; the first one is shown on its own page too. */
export function sampleConnections(lang: Lang): readonly Connection[] {
  const german = lang === 'de';
  return [
    connection(1, german ? 'rechnungen@example.com' : 'invoices@example.com', SAMPLE_INTEGRATION, {
      ...{ status: 'INVALID_CREDENTIALS', health: 'ACTION_REQUIRED', next_fetch_at: null },
      reason: {
        ...{ code: 'LOGIN_REJECTED', since: at(-20), action: 'UPDATE_CREDENTIALS' },
        message: german
          ? 'Die Anmeldung wurde abgelehnt. Bitte geben Sie das Passwort neu ein.'
          : 'The login was rejected. Please enter the password again.',
      },
    }),
    connection(2, german ? 'Belege im Ordner Büro' : 'Receipts in the folder Office', 'google_drive', {
      account: { display: 'office@example.com' },
    }),
    connection(3, german ? 'Stromrechnungen' : 'Electricity bills', 'sandbox', {
      last_fetch: { uuid: uuid(8), status: 'RUNNING', finished_at: null, documents_new: 0 },
    }),
    connection(4, 'Stripe', 'stripe', { ...{ status: 'DISABLED', health: 'UNKNOWN', next_fetch_at: null } }),
  ];
}

export const sampleTransactions = (lang: Lang): readonly Transaction[] =>
  (['DELIVERED', 'PENDING'] as const).map((status, index) => ({
    ...{ transaction_uuid: uuid(5 + index), connection_uuid: uuid(1), identity_uuid: uuid(0), fetch_uuid: uuid(7) },
    ...{
      client_identifier: 'preview',
      integration_id: SAMPLE_INTEGRATION,
      document_type: 'invoice',
      external_id: null,
    },
    document: {
      ...{ filename: `${lang === 'de' ? 'Rechnung' : 'Invoice'} ${2041 + index}.pdf`, mime_type: 'application/pdf' },
      ...{ size: 48_211, sha256: '', available_until: null },
    },
    metadata: { date: at(-48).slice(0, 10), amount: `${119 + index * 80}.00`, currency: 'EUR' },
    renditions: [],
    provisioning: {
      ...{ strategy: 'PUSH', status, attempts: 1, last_attempt_at: at(-2), next_attempt_at: null, last_error: null },
    },
    created_at: at(-2),
  }));

export const sampleTimeline = (lang: Lang): readonly TimelineEntry[] => [
  {
    ...{ uuid: uuid(9), type: 'CONNECTION_CREATED', at: at(-2000), cause: null },
    message: lang === 'de' ? 'Die Quelle wurde verbunden.' : 'The source was connected.',
    ...{ status_from: null, status_to: 'ACTIVE', fetch_uuid: null, fetch_status: null, documents_new: null },
    ...{
      documents_failed: null,
      filtered: null,
      error_code: null,
      transaction_uuid: null,
      filename: null,
      attempts: null,
    },
  },
];
