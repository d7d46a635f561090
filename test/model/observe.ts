import type { FilteredBy } from '../../src/integrations/core/filter-reason';
import { eventually } from '../harness/eventually';
import type { ModelRun } from './model-run';
import { STRATEGIES, type Model, type Strategy } from './model';

export interface ObservedFetch {
  readonly uuid: string;
  readonly connection_uuid: string;
  readonly status: string;
  readonly seen: number;
  readonly new: number;
  readonly duplicate: number;
  readonly filtered: number;
  readonly filtered_by: FilteredBy | null;
  readonly failed: number;
  readonly error_code: string | null;
  readonly started_at: Date | null;
}

export interface ObservedTransaction {
  readonly uuid: string;
  readonly connection_uuid: string;
  readonly strategy: Strategy;
  /** The last part of the dedupe key. */
  readonly key: string;
  readonly status: string;
  readonly due_at: Date | null;
}

/** The state of the service at rest. */
export interface Observation {
  /** The statuses of connections, as the API shows them. */
  readonly statuses: ReadonlyMap<string, string>;
  /** In the order in which they were started. */
  readonly fetches: readonly ObservedFetch[];
  readonly transactions: readonly ObservedTransaction[];
  /** Transactions that the API lists as waiting for a push. */
  readonly waiting: ReadonlySet<string>;
  /** Tables that contain a uuid of something deleted. */
  readonly remains: readonly string[];
}

/** When the clocks of workers differ: in the order in which they ended, which is the same for fetches of one connection. */
const ORDER_OF_FETCHES = ['started_at nulls first, uuid', 'xmin::text::bigint'];

export async function observe(modelRun: ModelRun, model: Model): Promise<Observation> {
  const { service, environments } = modelRun;
  const statuses = new Map<string, string>();
  for (const strategy of STRATEGIES) {
    const { client, identity, feed } = modelRun.tenants[strategy];
    const { body } = await client.request('get', `/v1/identities/${identity}/connections?limit=100`).expect(200);
    for (const { uuid, status } of (body as { data: { uuid: string; status: string }[] }).data) {
      statuses.set(uuid, status);
    }
    await feed.pollToEnd(model);
  }
  const waiting = await modelRun.tenants.PUSH.client.request('get', '/v1/transactions?status=PENDING&limit=500');
  return {
    statuses,
    fetches: await service.rows<ObservedFetch>(
      `select uuid, connection_uuid, status, seen, new, duplicate, filtered, filtered_by, failed, error_code, started_at
       from "fetch" where environment_uuid = any($1::uuid[]) order by ${ORDER_OF_FETCHES[Number(service.clocksDiffer)]}`,
      environments,
    ),
    transactions: await service.rows<ObservedTransaction>(
      `select uuid, connection_uuid, strategy, substring(dedupe_key from '[^-]*$') as key, status, due_at
       from transaction where environment_uuid = any($1::uuid[]) order by uuid`,
      environments,
    ),
    waiting: new Set(
      (waiting.body as { data: { transaction_uuid: string }[] }).data.map((row) => row.transaction_uuid),
    ),
    remains: await remainsAtRest(modelRun, model.deleted),
  };
}

/** The columns of the schema that contain one of these uuids; only the audit log may. */
export async function remains({ service }: ModelRun, uuids: readonly string[]): Promise<string[]> {
  if (uuids.length === 0) return [];
  const columns = await service.rows<{ table: string; column: string }>(
    // A partition's rows are those of its table.
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.atttypid = 'uuid'::regtype and not a.attisdropped and c.relname <> 'audit_log'`,
  );
  const found = columns.map(
    ({ table, column }) =>
      `select '${table}.${column}' as place where exists (select from "${table}" where "${column}" = any($1::uuid[]))`,
  );
  const rows = await service.rows<{ place: string }>(found.join(' union all '), uuids);
  return rows.map(({ place }) => place);
}

/** Jobs that ran at the deletion have ended, and what they did has left nothing. */
export async function remainsAtRest(modelRun: ModelRun, uuids: readonly string[]): Promise<string[]> {
  await eventually(async () => {
    const rows = await modelRun.service.rows(
      `select from pgboss.job where singleton_key = any($1::text[]) and state in ('created', 'retry', 'active') limit 1`,
      uuids,
    );
    return rows.length === 0;
  }, 'the jobs of what is deleted have ended');
  return remains(modelRun, uuids);
}
