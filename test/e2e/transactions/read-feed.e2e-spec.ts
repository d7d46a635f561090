import { randomUUID } from 'node:crypto';
import { assignPositions, EVENT_FEED } from '../../../src/transactions/feed/feed-sequence';
import { connectionPageQuery } from '../../../src/transactions/feed/list-connection-transactions';
import { feedPageQuery } from '../../../src/transactions/feed/list-transactions';
import { readStatement } from '../../../src/transactions/feed/read-transactions';
import { candidateStatement } from '../../../src/transactions/search/transaction-candidates';
import { createTestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';

/** A step of a plan (EXPLAIN). */
interface Step {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  /** Of EXPLAIN ANALYZE, for each loop. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Step[];
}

const steps = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(steps)];

describe('A page of the feed of a client with very many documents', () => {
  const context = useTestContext({ role: 'all' });
  let connection: string;

  beforeAll(async () => {
    connection = await connectionWithDocuments(context, { documents: 1 });
    await context.query(
      `insert into connection
       select (jsonb_populate_record(c, jsonb_build_object('uuid', gen_random_uuid()))).*
       from connection c, generate_series(1, 200) where c.uuid = $1`,
      [connection],
    );
    await context.query(
      `insert into transaction
       select (jsonb_populate_record(t, jsonb_build_object('uuid', gen_random_uuid(), 'dedupe_key', 'copy ' || n,
         'connection_uuid', c.uuid, 'status', case when n % 100 = 0 then 'FAILED' else 'AVAILABLE' end,
         'document_type', case when n % 100 = 1 then 'contract' else 'invoice' end, 'external_id', 'INV-' || n,
         'position', nextval('transaction_position_seq')))).*
       from transaction t, generate_series(1, 100) n, connection c where t.connection_uuid = $1`,
      [connection],
    );
    await context.query('vacuum analyze');
  });

  it.each([
    ['of one connection', () => ({ connection_uuid: connection }), 'transaction_feed_connection'],
    ['with one status', () => ({ status: 'FAILED' as const }), 'transaction_feed_status'],
    ['of one identity', () => ({ identity_uuid: randomUUID() }), 'transaction_identity'],
    ['of a rare type', () => ({ document_type: 'contract' as const }), 'transaction_feed_type'],
    ['with one id of the source', () => ({ external_id: 'INV-1' }), 'transaction_feed_external_id'],
    ['of everything', () => ({}), 'transaction_position'],
  ])('is read from the cursor on, %s, without scanning other rows', async (_, query, index) => {
    const caller = { environmentUuid: context.client.environmentUuid };
    const [rest] = feedPageQuery({ ...NOBODY, ...caller }, query(), 0, 101);
    // Planned like a prepared statement, once for all values.
    const [row] = await context.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, format json) ${readStatement(rest)}`,
    );
    const all = steps(row!['QUERY PLAN'][0].Plan);
    expect(all.find((step) => step['Index Name'] === index)?.['Index Cond']).toContain('"position" > ');
    expect(all.map((step) => step['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Bitmap/));
  });

  it('is read backwards in the same way, for the documents of one connection', async () => {
    const [rest] = connectionPageQuery(connection, {}, null, 21);
    const [row] = await context.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, format json) ${readStatement(rest)}`,
    );
    const all = steps(row!['QUERY PLAN'][0].Plan);
    const read = all.find((step) => step['Index Name'] === 'transaction_feed_connection');
    expect(read?.['Index Cond']).toContain('"position" < ');
    expect(all.map((step) => step['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Bitmap/));
  });

  it.each([
    ['of one connection', { connectionUuid: randomUUID() }],
    ['of one identity', { identityUuid: randomUUID() }],
  ])('is searched by the console without reading the rows, %s', async (_, owner) => {
    const query = { environmentUuid: context.client.environmentUuid, from: null, to: null, ...owner };
    const [statement] = candidateStatement(query, 101);
    const [row] = await context.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, format json) ${statement}`,
    );
    const read = steps(row!['QUERY PLAN'][0].Plan).find((step) => step['Index Name'] === 'transaction_dedupe');
    expect(read?.['Node Type']).toBe('Index Only Scan');
  });
});

/** A caller with only a key, which is not restricted by a token. */
const NOBODY = { identityUuid: null, onlyConnectionUuid: null, onlyIntegrationId: null };

describe('Positions of new events', () => {
  const context = useTestContext();

  it('are assigned without reading events of other environments or with a position', async () => {
    const { environmentUuid } = context.client;
    const other = (await createTestClient(context.app)).environmentUuid;
    const add = (environment: string, count: number, position: string) =>
      context.query(
        `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at, position)
         select uuidv7(), $1, 'STANDARD', uuidv7(), 'fetch.finished', '{}', now(), now(), ${position} from generate_series(1, $2::int)`,
        [environment, count],
      );
    await add(environmentUuid, 5_000, `nextval('outbox_position_seq')`);
    await add(other, 5_000, 'null');
    await add(environmentUuid, 3, 'null');
    await context.query('analyze');
    const [row] = await context.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (analyze, format json) ${assignPositions(EVENT_FEED).replaceAll('$1', `'${environmentUuid}'`)}`,
    );
    const read = steps(row!['QUERY PLAN'][0].Plan).map((step) => step['Actual Rows'] * step['Actual Loops']);
    expect(Math.max(...read)).toBe(3);
  });
});
