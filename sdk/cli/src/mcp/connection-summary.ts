import type { Connection } from '../../../typescript/dist/index.js';

/** A connection without what its user has entered. */
export function connectionSummary(connection: Connection) {
  const { uuid, integration_id, name, identity_uuid, status, health, reason, setup_complete } = connection;
  const { last_fetch, last_success_at, next_fetch_at, manual_fetches, failed_documents, created_at } = connection;
  return {
    ...{ uuid, integration_id, name, identity_uuid, status, health, reason, setup_complete },
    ...{ last_fetch, last_success_at, next_fetch_at, manual_fetches, failed_documents, created_at },
  };
}
