import {
  getEnvironment,
  getTransaction,
  listAttempts,
  type Provisioning,
  type ProvisioningStatus,
} from '../../../typescript/dist/index.js';
import type { Source } from './source';

const MAX_ATTEMPTS = 50;

const MEANING: Readonly<Record<ProvisioningStatus, string>> = {
  PENDING: 'It is to be pushed.',
  DELIVERED: 'It was pushed, and the endpoint answered 200.',
  FAILED: 'The last attempt to push it failed. It is kept and can be delivered again.',
  AVAILABLE: 'The client application can pull it. It is not pushed.',
  ACKNOWLEDGED: 'The client application has accepted it.',
  REJECTED: 'The client application has rejected it.',
};

/** How a document reaches the client application; without its content, its metadata, and what the endpoint answered. */
export async function showDelivery({ client, signal }: Source, transaction_uuid: string): Promise<object> {
  const path = { transaction_uuid };
  const [{ data }, attempts, environment] = await Promise.all([
    getTransaction({ client, signal, path }),
    listAttempts({ client, signal, path, query: { limit: MAX_ATTEMPTS } }),
    getEnvironment({ client, signal }),
  ]);
  const { connection_uuid, integration_id, client_identifier, document_type, document, provisioning, created_at } =
    data;
  const { filename, mime_type, size, available_until } = document;
  return {
    explanation: sentences(provisioning),
    ...{ transaction_uuid, connection_uuid, integration_id, client_identifier, document_type, created_at },
    document: { filename, mime_type, size, available_until },
    provisioning,
    endpoint: environment.data.provisioning,
    attempts: attempts.data.map(({ number, started_at, duration_ms, status, error }) => ({
      ...{ number, started_at, duration_ms, status, error },
    })),
    more_attempts: attempts.meta.has_more,
  };
}

function sentences({ status, attempts, last_error, next_attempt_at }: Provisioning): string[] {
  return [
    MEANING[status],
    attempts === 0 ? 'No attempt has been made.' : `${attempts} attempts have been made.`,
    ...(last_error ? [`The last one failed: ${last_error.message} (${last_error.code}).`] : []),
    ...(next_attempt_at ? [`The next one is possible at ${next_attempt_at}.`] : []),
  ];
}
