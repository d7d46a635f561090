import {
  getEnvironment,
  listFailures as listDocumentFailures,
  listTransactions,
  type Transaction,
} from '../../../typescript/dist/index.js';
import type { Source } from './source';

export interface FailuresOptions {
  readonly connection_uuid?: string;
  readonly limit: number;
}

/** Documents that could not be delivered or, of one connection, downloaded. */
export async function listFailures(
  { client, signal }: Source,
  { connection_uuid, limit }: FailuresOptions,
): Promise<object> {
  const query = { status: 'FAILED' as const, connection_uuid, limit };
  const [environment, failed, notDownloaded] = await Promise.all([
    getEnvironment({ client, signal }),
    listTransactions({ client, signal, query }),
    connection_uuid
      ? listDocumentFailures({ client, signal, path: { uuid: connection_uuid }, query: { limit } })
      : null,
  ]);
  return {
    endpoint: environment.data.provisioning,
    deliveries_failed: failed.data.map(failedDelivery),
    more_deliveries_failed: failed.meta.has_more,
    ...(notDownloaded && {
      documents_not_downloaded: notDownloaded.data,
      more_not_downloaded: notDownloaded.meta.has_more,
    }),
  };
}

function failedDelivery({
  transaction_uuid,
  connection_uuid,
  document_type,
  document,
  provisioning,
  created_at,
}: Transaction) {
  const { attempts, last_attempt_at, last_error } = provisioning;
  return {
    ...{ transaction_uuid, connection_uuid, document_type, filename: document.filename, created_at },
    ...{ attempts, last_attempt_at, last_error },
  };
}
