import { Pool } from 'pg';
import type { FilteredBy } from '../../../src/integrations/core/filter-reason';
import { FetchWorker } from '../../../src/fetches/execution/fetch-worker';
import { CircuitMonitor } from '../../../src/provisioning/circuit/circuit-monitor';
import { DispatchEvents } from '../../../src/provisioning/webhooks/dispatch-events';
import { DeliveryScheduler } from '../../../src/provisioning/push/delivery-scheduler';
import { TestBrowser } from '../http/test-browser';
import type { TestClient } from '../app/test-client';
import { eventually } from '../eventually';
import { startApp, type TestApp, type TestAppOptions } from '../app/start-app';

/** A row of `fetch`. */
export interface FetchRow {
  readonly uuid: string;
  readonly trigger: string;
  readonly status: string;
  readonly seen: number;
  readonly new: number;
  readonly duplicate: number;
  readonly filtered: number;
  readonly filtered_by: FilteredBy | null;
  readonly failed: number;
  readonly error_code: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
}

/** A row of `transaction`. */
export interface TransactionRow {
  readonly uuid: string;
  readonly connection_uuid: string;
  readonly filename: string;
  readonly document_type: string;
  readonly external_id: string | null;
  readonly mime_type: string;
  readonly sha256: string;
  readonly size: string;
  readonly metadata: Record<string, unknown>;
  readonly status: string;
  readonly attempts: number;
  readonly due_at: Date | null;
  readonly last_error: { code: string; status: number | null } | null;
}

/** The members of the API's connection that the engine determines. */
export interface ConnectionBody {
  readonly uuid: string;
  readonly status: string;
  readonly health: string;
  readonly reason: { code: string; action: string } | null;
  readonly last_fetch: { status: string; documents_new: number } | null;
  readonly next_fetch_at: string | null;
  readonly last_success_at: string | null;
}

/** A running service with access to its database: tests read results from rows instead of many API calls. */
export class TestEngine {
  private constructor(
    readonly app: TestApp,
    readonly pool: Pool,
  ) {
    pool.on('error', () => undefined); // a database that is restarted while the service runs
  }

  static async start(options: TestAppOptions = {}): Promise<TestEngine> {
    const app = await startApp({ role: 'all', ...options });
    return new TestEngine(app, new Pool({ connectionString: app.databaseUrl, max: 3 }));
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.pool.end();
  }

  async rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.pool.query(text, values)).rows as Row[];
  }

  async count(text: string, ...values: unknown[]): Promise<number> {
    return Number((await this.rows<{ count: string }>(text, ...values))[0]!.count);
  }

  /** Advances the clock and runs the polls, which otherwise run on their own. */
  async advanceClock(seconds: number): Promise<void> {
    this.app.clock.advance(seconds);
    await this.runPolls();
  }

  async runPolls(): Promise<void> {
    await this.app.app.get(FetchWorker, { strict: false }).claimDue();
    await this.app.app.get(CircuitMonitor, { strict: false }).poll();
    await this.app.app.get(DeliveryScheduler, { strict: false }).poll();
    await this.app.app.get(DispatchEvents, { strict: false }).poll();
  }

  /** Resolves when this process runs no fetch and none is due. */
  waitForIdleWorker(): Promise<void> {
    return this.app.app.get(FetchWorker, { strict: false }).idle();
  }

  fetches(connection: string): Promise<FetchRow[]> {
    return this.rows('select * from "fetch" where connection_uuid = $1 order by uuid', connection);
  }

  transactions(connection: string): Promise<TransactionRow[]> {
    return this.rows('select * from transaction where connection_uuid = $1 order by uuid', connection);
  }

  /** Resolves with a connection's fetches once `count` have ended and none is open. */
  async waitForFetches(connection: string, count: number, timeoutMs?: number): Promise<FetchRow[]> {
    return eventually(
      async () => {
        const all = await this.fetches(connection);
        const ended = all.filter(({ status }) => !['QUEUED', 'RUNNING'].includes(status));
        return ended.length >= count && ended.length === all.length && all;
      },
      `${count} fetches of ${connection} end`,
      timeoutMs,
    );
  }

  /** Resolves with the latest fetch once `count` have ended. */
  async waitForLastFetch(connection: string, count: number): Promise<FetchRow> {
    return (await this.waitForFetches(connection, count)).at(-1)!;
  }

  /** Resolves with the transaction once it satisfies the condition. */
  async waitForTransaction(uuid: string, what: string, is: (row: TransactionRow) => boolean): Promise<TransactionRow> {
    return eventually(async () => {
      const [row] = await this.rows<TransactionRow>('select * from transaction where uuid = $1', uuid);
      return row !== undefined && is(row) && row;
    }, what);
  }
}

export async function getConnection(client: TestClient, uuid: string): Promise<ConnectionBody> {
  const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
  return (body as { data: ConnectionBody }).data;
}

/**
 * Creates a connection, of a new identity unless one is given, and saves step 2, if there is one, which queues the first fetch. Returns
 * its uuid.
 */
export async function connect(
  client: TestClient,
  integration: string,
  fields: Record<string, unknown>,
  step2: Record<string, unknown> = {},
  existingIdentity?: string,
): Promise<string> {
  const identity = existingIdentity ?? (await client.createIdentity());
  const { body } = await client
    .request('post', '/v1/connections')
    .send({ integration_id: integration, name: 'Documents', identity_uuid: identity, fields })
    .expect(201);
  const { uuid, setup_complete } = (body as { data: { uuid: string; setup_complete: boolean } }).data;
  if (setup_complete) return uuid;
  const token = await client.createToken(identity);
  await client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: step2 }).expect(204);
  return uuid;
}

/** Creates a connection with OAuth consent in a browser. Returns its uuid. */
export async function connectWithOAuth(
  { app }: TestEngine,
  client: TestClient,
  integration: string,
  step2: Record<string, unknown> = {},
): Promise<string> {
  const identity = await client.createIdentity();
  const token = await client.createToken(identity);
  const connection = { integration_id: integration, name: 'Documents', fields: {} };
  const { body } = await client.requestWithToken(token, 'post', '/v1/connections').send(connection).expect(201);
  const { uuid, authorization_url } = (body as { data: { uuid: string; authorization_url: string } }).data;
  await new TestBrowser(app).follow(authorization_url);
  await client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: step2 }).expect(204);
  return uuid;
}

let portals = 0;

/** Creates a connection to a new sandbox portal. */
export function connectSandbox(client: TestClient, fields: Record<string, unknown> = {}): Promise<string> {
  return connect(client, 'sandbox', { user: `portal-${++portals}`, password: 'right', ...fields });
}

/** Updates step-1 fields as the user does in the hosted UI. */
export async function updateFields(client: TestClient, uuid: string, fields: Record<string, unknown>): Promise<void> {
  const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
  const token = await client.createToken((body as { data: { identity_uuid: string } }).data.identity_uuid);
  const answer = await client.requestWithToken(token, 'put', `/v1/connections/${uuid}`).send({ fields });
  if (![200, 204].includes(answer.status)) throw new Error(`PUT answered ${answer.status}: ${answer.text}`);
}
