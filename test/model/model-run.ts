import type { TestClient } from '../harness/app/test-client';
import { createTestClient } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { FeedReader } from './feed-reader';
import { STRATEGIES, type Strategy } from './model';
import { PushEndpoint } from './push-endpoint';
import type { ServiceUnderTest } from './service-under-test';

/** One client application with an environment, an identity, and a reader of its feed. */
export interface Tenant {
  readonly client: TestClient;
  readonly identity: string;
  readonly feed: FeedReader;
}

export interface ClientOptions {
  readonly url?: string;
  /** Changes how the clients send requests. */
  readonly adapt?: (client: TestClient) => TestClient;
}

/** The real side of one run of commands: two new client applications, one of which has an endpoint. */
export class ModelRun {
  /** For names that occur once. */
  private names = 0;

  private constructor(
    readonly service: ServiceUnderTest,
    readonly endpoint: PushEndpoint,
    readonly tenants: Readonly<Record<Strategy, Tenant>>,
    private readonly report: Report,
  ) {}

  /** The clients use the API of this process, unless another `url` is given. */
  static async start(
    service: ServiceUnderTest,
    report: Report,
    { url = service.engine.app.url, adapt = (client) => client }: ClientOptions = {},
  ): Promise<ModelRun> {
    await service.ready();
    const endpoint = await PushEndpoint.start(service.address);
    const tenant = async (strategy: Strategy): Promise<Tenant> => {
      const created = await createTestClient(
        { ...service.engine.app, url },
        {
          environment: { fetchIntervalMinutes: 60 },
          provisioning: { strategy, url: strategy === 'PUSH' ? endpoint.url : null, auth: 'NONE', secret: null },
        },
      );
      const client = adapt(created);
      return { client, identity: await client.createIdentity(), feed: new FeedReader(client, strategy) };
    };
    return new ModelRun(service, endpoint, { PUSH: await tenant('PUSH'), POLLING: await tenant('POLLING') }, report);
  }

  get environments(): string[] {
    return STRATEGIES.map((strategy) => this.tenants[strategy].client.environmentUuid);
  }

  name(): string {
    return `portal ${++this.names}`;
  }

  count(what: string, by = 1): void {
    this.report.set(what, (this.report.get(what) ?? 0) + by);
  }

  /** A request as the end user in the hosted UI makes it. */
  async asUser(strategy: Strategy, path: string, body: object) {
    const { client, identity } = this.tenants[strategy];
    return client.requestWithToken(await client.createToken(identity), 'put', path).send(body);
  }

  /**
   * Resolves when nothing runs, and nothing can be done before the clock advances or the endpoint answers: with the time at which that
   * was so.
   */
  async rest(): Promise<Date> {
    const { service, endpoint } = this;
    await service.ready();
    let asked = 0;
    let now = new Date(service.workersNow());
    await eventually(
      async () => {
        if (asked++ % ASKED_PER_POLL === 0) await service.engine.runPolls();
        const sends = endpoint.mode !== 'hangs';
        now = new Date(service.workersNow());
        const [row] = await service.rows<{ open: string }>(OPEN_WORK, this.environments, now, sends);
        return Number(row!.open) === 0;
      },
      'the service is at rest',
      REST_MS,
    );
    return now;
  }

  /** When the next fetch or push after `rest` becomes due, in milliseconds: until then the service stays at rest. */
  async nextDue(rest: Date): Promise<number> {
    const [row] = await this.service.rows<{ due: Date | null }>(NEXT_DUE, this.environments, rest);
    return row!.due?.getTime() ?? Infinity;
  }

  async stop(): Promise<void> {
    this.count('pushes', this.endpoint.log.requests);
    this.count('pushes again after a kill', this.endpoint.log.excused);
    await this.endpoint.setMode('accepts');
    await this.endpoint.close();
  }
}

/** Due work is looked for in every fourth question whether there is any; the worker looks for it itself, but less often. */
const ASKED_PER_POLL = 4;
/** Much longer than any work takes, also on a busy machine. */
const REST_MS = 300_000;

/** How often what has happened. */
export type Report = Map<string, number>;

/** Fetches that run or are due, redeliveries that run, and documents that may be sent now. */
const OPEN_WORK = `
  select (select count(*) from "fetch" where environment_uuid = any($1::uuid[]) and status in ('QUEUED', 'RUNNING'))
    + (select count(*) from connection
       where environment_uuid = any($1::uuid[]) and least(next_fetch_at, immediate_fetch_at) <= $2)
    + (select count(*) from redelivery where environment_uuid = any($1::uuid[]) and finished_at is null)
    + (select count(*) from transaction t left join endpoint p using (environment_uuid)
       where t.environment_uuid = any($1::uuid[]) and t.due_at <= $2 and $3
         and coalesce(greatest(p.circuit_open_until, p.retry_after_until) <= $2, true)) as open`;

/** The first time after $2 at which a fetch is due, or a document may be sent. */
const NEXT_DUE = `
  select min(at) as due from (
    select unnest(array[next_fetch_at, immediate_fetch_at]) as at from connection where environment_uuid = any($1::uuid[])
    union all
    select greatest(t.due_at, p.circuit_open_until, p.retry_after_until) from transaction t left join endpoint p using (environment_uuid)
    where t.environment_uuid = any($1::uuid[]) and t.due_at is not null) times
  where at > $2`;
