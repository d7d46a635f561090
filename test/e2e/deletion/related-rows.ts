import { expectError } from '../../harness/http/expect-error';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { countTextOccurrences, countUuidOccurrences, NO_PARTITION } from '../../harness/app/find-occurrences';
import type { TestEngine } from '../../harness/engine/test-engine';

/** The deleted resource: a connection, or its identity. */
export type DeletedResource = 'connection' | 'identity';

/** The only table that may still mention deleted rows: the append-only log. */
const LOG = 'audit_log';
/** Columns that refer to another owner than the deleted resource. */
const NOT_OWNED_BY = ['environment_uuid', 'webhook_uuid', 'scope_uuid', 'lease_token'];

const queryOf = (engine: TestEngine) => ({
  query: <Row extends object>(text: string, parameters: unknown[] = []) => engine.rows<Row>(text, ...parameters),
});

/** All rows of one connection, recorded before its deletion and searched for afterwards. */
export class RelatedRows {
  private constructor(
    private readonly engine: TestEngine,
    private readonly client: TestClient,
    private readonly connection: string,
    private readonly identity: string,
    /** The uuids of all its rows, in every table. */
    readonly uuids: ReadonlySet<string>,
    /** The tables that hold such rows. */
    readonly tables: ReadonlySet<string>,
    private readonly transactions: readonly string[],
    private readonly fetches: readonly string[],
  ) {}

  /** Finds them by the columns of the schema, so that a new table is found as well. */
  static async of(engine: TestEngine, client: TestClient, connection: string): Promise<RelatedRows> {
    const [owner] = await engine.rows<{ identity_uuid: string }>(
      'select identity_uuid from connection where uuid = $1',
      connection,
    );
    const columns = await engine.rows<{ table: string; column: string; has_uuid: boolean }>(
      `select c.table_name as table, c.column_name as column,
         exists (select 1 from information_schema.columns u where u.table_schema = 'public'
                   and u.table_name = c.table_name and u.column_name = 'uuid') as has_uuid
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.data_type = 'uuid' and t.table_type = 'BASE TABLE'
         and ${NO_PARTITION} and c.table_name <> $1 and not c.column_name = any($2::text[])`,
      LOG,
      NOT_OWNED_BY,
    );
    const uuids = new Set([connection]);
    const tables = new Set<string>();
    for (let before = 0; before < uuids.size;) {
      before = uuids.size;
      for (const { table, column, has_uuid } of columns) {
        const rows = await engine.rows<{ uuid: string | null }>(
          `select ${has_uuid ? 'uuid' : 'null as uuid'} from "${table}" where "${column}" = any($1::uuid[])`,
          [...uuids],
        );
        if (rows.length > 0) tables.add(table);
        for (const { uuid } of rows) if (uuid !== null) uuids.add(uuid);
      }
    }
    const of = async (table: string) =>
      (await engine.rows<{ uuid: string }>(`select uuid from "${table}" where connection_uuid = $1`, connection)).map(
        ({ uuid }) => uuid,
      );
    return new RelatedRows(
      engine,
      client,
      connection,
      owner!.identity_uuid,
      uuids,
      tables,
      await of('transaction'),
      await of('fetch'),
    );
  }

  /** Deletes, and expects no rows at the 204 response and after all jobs have ended. */
  async delete(target: DeletedResource): Promise<void> {
    await this.deleteNow(target);
    await this.waitUntilIdle();
    await this.expectGone();
    await this.expectNotFound(target);
  }

  /** Deletes, and expects no rows at the 204 response. */
  async deleteNow(target: DeletedResource): Promise<void> {
    const path = target === 'connection' ? `/v1/connections/${this.connection}` : `/v1/identities/${this.identity}`;
    const answer = await this.client.request('delete', path);
    expect([answer.status, answer.text]).toEqual([204, '']);
    await this.expectGone();
  }

  /** Resolves when no job works on it. */
  async waitUntilIdle(): Promise<void> {
    await this.engine.runPolls();
    await eventually(
      async () =>
        (await this.engine.count(
          `select count(*) from pgboss.job where singleton_key = any($1::text[]) and state in ('created', 'retry', 'active')`,
          [...this.uuids],
        )) === 0,
      'no job is left for what is gone',
    );
  }

  async expectGone(): Promise<void> {
    const found = await countUuidOccurrences(queryOf(this.engine), [...this.uuids]);
    delete found[`${LOG}.subject_uuid`];
    expect(found).toEqual({});
    // Also in JSON and texts, not only in uuid columns.
    const mentioned = await countTextOccurrences(queryOf(this.engine), this.connection);
    delete mentioned[LOG];
    expect(mentioned).toEqual({});
    // No chunks and no content without an owner.
    expect(
      await this.engine.count(
        `select (select count(*) from content_chunk k left join content c on c.uuid = k.content_uuid where c.uuid is null)
              + (select count(*) from content c left join data_key d on d.owner_uuid = c.owner_uuid where d.owner_uuid is null)
              as count`,
      ),
    ).toBe(0);
  }

  private async expectNotFound(target: DeletedResource): Promise<void> {
    const get = (path: string) => this.client.request('get', path);
    const own = `/v1/connections/${this.connection}`;
    for (const path of [own, `${own}/information`, `${own}/fetches`, `${own}/timeline`]) {
      expectError(await get(path), 404, 'CONNECTION_NOT_FOUND');
    }
    expectError(await this.client.request('post', `${own}/fetch-now`), 404, 'CONNECTION_NOT_FOUND');
    for (const uuid of this.fetches) expectError(await get(`/v1/fetches/${uuid}`), 404, 'FETCH_NOT_FOUND');
    for (const uuid of this.transactions.slice(0, 2)) {
      for (const rest of ['', '/document', '/attempts']) {
        expectError(await get(`/v1/transactions/${uuid}${rest}`), 404, 'TRANSACTION_NOT_FOUND');
      }
      expectError(
        await this.client.request('post', `/v1/transactions/${uuid}/redeliver`),
        404,
        'TRANSACTION_NOT_FOUND',
      );
    }
    if (target === 'identity') expectError(await get(`/v1/identities/${this.identity}`), 404, 'IDENTITY_NOT_FOUND');
  }
}
