import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '../../auth/keys/api-key.entity';
import { readUserActions } from '../../connections/search/read-user-actions';
import { reasonView } from '../../connections/state/views/reason.view';
import { Webhook } from '../../connections/webhooks/webhook.entity';
import { sql } from '../../platform/database/sql';
import { translate } from '../../platform/errors/translate';
import { DAY_MS, uuidAt } from '../../platform/history/history-partitions';
import { Endpoint } from '../../provisioning/circuit/endpoint.entity';
import { deliveryErrorView } from '../../transactions/feed/transaction.view';
import type { AttentionKind, AttentionView } from './overview.view';

/** Entries of one kind. */
const MAX_ENTRIES = 10;
/** What is counted up to, so that it costs the same however much there is. */
const MAX_COUNT = 1_000;
const MISSING_DAYS = 7;
const KEY_DAYS = 14;

type Read = (em: EntityManager, environmentUuid: string, now: Date) => Promise<AttentionView[]>;

const entry = (kind: AttentionKind, text: string, since: Date, about: Partial<AttentionView> = {}): AttentionView => ({
  kind,
  text,
  since: since.toISOString(),
  connection_uuid: null,
  webhook_uuid: null,
  ...about,
});

const readEndpoint: Read = async (em, environmentUuid) => {
  const endpoint = await em.findOne(Endpoint, environmentUuid);
  if (!endpoint?.openedAt) return [];
  const error = endpoint.lastError ? deliveryErrorView(endpoint.lastError).message : '';
  const text = translate('console.attention.ENDPOINT_FAILING', { error }).trim();
  return [entry('ENDPOINT_FAILING', text, endpoint.failingSince ?? endpoint.openedAt)];
};

/** SQL: up to `MAX_COUNT` of them, read from the index by status, and the time of the first. */
export const FAILED_DELIVERIES = `
  select count(*)::int as count, min(created_at) as since from (
    select created_at from transaction where environment_uuid = $1 and status = 'FAILED' order by uuid limit ${MAX_COUNT}) failed`;

/** SQL: the same for the events of a kind, from a uuid on. */
const MISSING_DOCUMENTS = `
  select count(*)::int as count, min(created_at) as since from (
    select created_at from outbox where environment_uuid = $1 and type = 'document.expected_missing' and uuid >= $2
    order by uuid limit ${MAX_COUNT}) missing`;

interface CountSince {
  readonly count: number;
  readonly since: string | null;
}

function countEntry(kind: 'DELIVERIES_FAILED' | 'DOCUMENTS_MISSING', row: CountSince | undefined): AttentionView[] {
  if (!row?.since) return [];
  const key = `console.attention.${kind}${row.count === MAX_COUNT ? '_MANY' : ''}`;
  return [entry(kind, translate(key, { count: row.count }), new Date(row.since))];
}

const readFailedDeliveries: Read = async (em, environmentUuid) =>
  countEntry('DELIVERIES_FAILED', (await sql<CountSince>(em, FAILED_DELIVERIES, [environmentUuid]))[0]);

const readMissingDocuments: Read = async (em, environmentUuid, now) => {
  const from = uuidAt(now.getTime() - MISSING_DAYS * DAY_MS);
  return countEntry('DOCUMENTS_MISSING', (await sql<CountSince>(em, MISSING_DOCUMENTS, [environmentUuid, from]))[0]);
};

const readWebhooks: Read = async (em, environmentUuid) => {
  const webhooks = await em.find(
    Webhook,
    { environmentUuid, connectionUuid: null, disabledReason: 'FAILING' },
    { orderBy: { uuid: 'desc' }, limit: MAX_ENTRIES },
  );
  return webhooks.map(({ uuid, url, disabledAt }) => {
    const text = translate('console.attention.WEBHOOK_DISABLED', { host: new URL(url).host });
    return entry('WEBHOOK_DISABLED', text, disabledAt!, { webhook_uuid: uuid });
  });
};

const readConnections: Read = async (em, environmentUuid) => {
  const connections = await readUserActions(em, environmentUuid, MAX_ENTRIES);
  return connections.map((connection) => {
    const { message, since } = reasonView(connection)!;
    const text = `${connection.name}: ${message}`;
    return entry('CONNECTION_ACTION_REQUIRED', text, new Date(since), { connection_uuid: connection.uuid });
  });
};

const readKeys: Read = async (em, environmentUuid, now) => {
  const until = new Date(now.getTime() + KEY_DAYS * DAY_MS);
  const keys = await em.find(
    ApiKey,
    { environmentUuid, revokedAt: null, expiresAt: { $gt: now, $lt: until } },
    { orderBy: { expiresAt: 'asc' }, limit: MAX_ENTRIES },
  );
  return keys.map(({ prefix, lastFour, expiresAt }) =>
    entry(
      'API_KEY_EXPIRES',
      translate('console.attention.API_KEY_EXPIRES', { key: `${prefix}…${lastFour}` }),
      expiresAt!,
    ),
  );
};

/** By urgency: what concerns all documents, then those that are lost to the client, then single sources, then what is coming. */
const READS: readonly Read[] = [
  readEndpoint,
  readFailedDeliveries,
  readWebhooks,
  readConnections,
  readMissingDocuments,
  readKeys,
];

/** What needs attention in an environment, the most urgent first. Each read is bounded, whatever there is. */
export async function readAttention(em: EntityManager, environmentUuid: string, now: Date): Promise<AttentionView[]> {
  const entries: AttentionView[] = [];
  for (const read of READS) entries.push(...(await read(em, environmentUuid, now)));
  return entries;
}
