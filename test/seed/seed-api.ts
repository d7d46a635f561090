import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../demo/api';
import { DemoFailure } from '../demo/display';

const WAIT_MS = 60_000;

export interface Connection {
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
  readonly health: string;
  readonly last_fetch: { readonly uuid: string; readonly status: string } | null;
}

export interface Transaction {
  readonly transaction_uuid: string;
  readonly provisioning: { readonly status: string; readonly attempts: number };
}

/** The seeded environment through the public API: with its key, and as the end user of an identity. */
export class SeedApi {
  readonly client: Api;

  constructor(
    private readonly base: string,
    key: string,
  ) {
    this.client = new Api(base, { 'X-API-KEY': key });
  }

  /** Creates the identity; returns its uuid. */
  async identity(body: { client_identifier: string; display_name: string; type: string }): Promise<string> {
    return (await this.client.call<{ identity_uuid: string }>('POST', '/v1/identities', 201, body)).identity_uuid;
  }

  /** Creates a connection; returns its uuid. With `finish`, the second step is saved with its defaults. */
  async connect(identity: string, connection: object, { finish = true } = {}): Promise<string> {
    const body = { identity_uuid: identity, ...connection };
    const { uuid } = await this.client.call<Connection>('POST', '/v1/connections', 201, body);
    if (!finish) return uuid;
    const { token } = await this.uiToken(identity);
    const endUser = new Api(this.base, { 'X-TOKEN': token });
    await endUser.call('PUT', `/v1/connections/${uuid}/step2`, 204, { fields: {} });
    return uuid;
  }

  /** Migrates a connection; returns its uuid. */
  async migrate(identity: string, connection: object): Promise<string> {
    const body = { identity_uuid: identity, ...connection };
    return (await this.client.call<Connection>('POST', '/v1/connections/migrate', 201, body)).uuid;
  }

  uiToken(identity: string): Promise<{ token: string; ui_url: string }> {
    const body = { identity_uuid: identity, return_url: `${this.base}/docs` };
    return this.client.call('POST', '/token', 201, body);
  }

  connection(uuid: string): Promise<Connection> {
    return this.client.call('GET', `/v1/connections/${uuid}`, 200);
  }

  async transactions(uuid: string): Promise<Transaction[]> {
    return this.client.call('GET', `/v1/transactions?connection_uuid=${uuid}&limit=100`, 200);
  }

  /** The types of the events that a webhook has been sent, with any result. */
  async notifications(webhook: string): Promise<string[]> {
    const deliveries = await this.client.call<{ type: string; state: string }[]>(
      'GET',
      `/v1/webhooks/${webhook}/deliveries`,
      200,
    );
    return deliveries.filter(({ state }) => ['DELIVERED', 'FAILED'].includes(state)).map(({ type }) => type);
  }

  /** Fetches a connection and waits until the fetch has ended; returns its status. */
  async fetchNow(uuid: string): Promise<string> {
    const queued = await this.client.call<{ uuid: string }>('POST', `/v1/connections/${uuid}/fetch-now`, 202);
    return this.fetched(uuid, queued.uuid);
  }

  /** Waits until a fetch of the connection has ended: the given one, or the first one. Returns its status. */
  async fetched(uuid: string, fetchUuid?: string): Promise<string> {
    let status = '';
    await this.until(`the fetch of connection ${uuid} has ended`, async () => {
      const { last_fetch: last } = await this.connection(uuid);
      status = last?.status ?? '';
      return last !== null && (!fetchUuid || last.uuid === fetchUuid) && !['QUEUED', 'RUNNING'].includes(last.status);
    });
    return status;
  }

  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (!(await isTrue())) {
      if (performance.now() > deadline) {
        throw new DemoFailure(`After ${WAIT_MS / 1000} seconds it is still not true that ${what}.`);
      }
      await pause(200);
    }
  }
}
