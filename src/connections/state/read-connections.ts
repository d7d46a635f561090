import type { EntityManager } from '@mikro-orm/postgresql';
import type { Reason } from '../../integrations/core/source-errors';
import { dateOrNull, prepared } from '../../platform/database/sql';
import type { ConnectionRecord, Input, LastFetch } from './connection-state';

interface ConnectionRow {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly identity_uuid: string;
  readonly integration_id: string;
  readonly name: string;
  readonly settings: Input;
  readonly step2: Input;
  readonly startdate: string | null;
  readonly account_display: string | null;
  readonly disabled_at: string | null;
  readonly setup_completed_at: string | null;
  readonly credentials_rejected_at: string | null;
  readonly failing_since: string | null;
  readonly failure_reason: Reason | null;
  readonly overdue_since: string | null;
  readonly last_success_at: string | null;
  readonly next_fetch_at: string | null;
  readonly last_fetch: LastFetch | null;
  readonly failed_documents: number;
  readonly webhook_uuid: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const SELECT = `select uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, startdate, account_display,
    disabled_at, setup_completed_at, credentials_rejected_at, failing_since, failure_reason, overdue_since, last_success_at, next_fetch_at,
    last_fetch, failed_documents, webhook_uuid, created_at, updated_at
  from connection`;

/**
 * Reads connections without the ORM, because nearly every request reads one. `clauses` is the SQL after `from connection`.
 */
export async function readConnections(
  em: EntityManager,
  clauses: string,
  parameters: readonly unknown[],
): Promise<ConnectionRecord[]> {
  return (await prepared<ConnectionRow>(em, `${SELECT} ${clauses}`, parameters)).map(toRecord);
}

const toRecord = (row: ConnectionRow): ConnectionRecord => ({
  uuid: row.uuid,
  environmentUuid: row.environment_uuid,
  identityUuid: row.identity_uuid,
  integrationId: row.integration_id,
  name: row.name,
  settings: row.settings,
  step2: row.step2,
  startdate: row.startdate,
  accountDisplay: row.account_display,
  disabledAt: dateOrNull(row.disabled_at),
  setupCompletedAt: dateOrNull(row.setup_completed_at),
  credentialsRejectedAt: dateOrNull(row.credentials_rejected_at),
  failingSince: dateOrNull(row.failing_since),
  failureReason: row.failure_reason,
  overdueSince: dateOrNull(row.overdue_since),
  lastSuccessAt: dateOrNull(row.last_success_at),
  nextFetchAt: dateOrNull(row.next_fetch_at),
  lastFetch: row.last_fetch,
  failedDocuments: row.failed_documents,
  webhookUuid: row.webhook_uuid,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
});
