import { setTimeout as pause } from 'node:timers/promises';
import { Api } from './api';
import { DemoFailure, type Display } from './display';
import { RETURN_URL, type DemoSetup } from './demo-setup';

const FETCH_MS = 60_000;

export interface Connection {
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly last_fetch: { readonly uuid: string; readonly status: string; readonly documents_new: number } | null;
}

interface NewConnection extends Connection {
  readonly step2_fields: readonly { readonly id: string; readonly default?: unknown }[];
}

/** The initial documents of the sandbox portal, and the new ones before every later fetch. */
export const PORTAL = { documents: 4, new_per_fetch: 1 };

/** Registers an identity and connects it to a portal and to its mailbox, through both steps. */
export async function connect(display: Display, { api, service, mailbox }: DemoSetup): Promise<Connection[]> {
  let identity = '';
  await display.step('Registering an identity', async () => {
    const body = { client_identifier: 'muster-gmbh', display_name: 'Muster GmbH', type: 'COMPANY' };
    ({ identity_uuid: identity } = await api.call<{ identity_uuid: string }>('POST', '/v1/identities', 201, body));
    return 'Identity "Muster GmbH" is registered, a customer of that client (POST /v1/identities)';
  });
  const wanted = [
    {
      integration_id: 'sandbox',
      name: 'Portal',
      fields: { user: 'muster', password: 'secret', scenario: 'normal', ...PORTAL },
    },
    { integration_id: 'imap', name: 'Mailbox', fields: mailbox.credentials },
  ];
  const connections: Connection[] = [];
  for (const { integration_id, name, fields } of wanted) {
    await display.step(`Connecting ${integration_id}`, async (progress) => {
      const body = { integration_id, name, identity_uuid: identity, fields };
      const made = await api.call<NewConnection>('POST', '/v1/connections', 201, body);
      progress('second step');
      await finishSetup(api, service.base, identity, made);
      connections.push(made);
      return `Connection "${name}" (${integration_id}): login checked, second step saved`;
    });
  }
  return connections;
}

/** The user completes the second step, so it requires a UI token. Selects the defaults of the service. */
async function finishSetup(api: Api, base: string, identity: string, connection: NewConnection): Promise<void> {
  const { token } = await api.call<{ token: string }>('POST', '/token', 201, {
    identity_uuid: identity,
    return_url: RETURN_URL,
  });
  const suggested = connection.step2_fields.filter((field) => field.default !== undefined && field.default !== null);
  const fields = Object.fromEntries(suggested.map((field) => [field.id, field.default]));
  const asUser = new Api(base, { 'X-TOKEN': token });
  await asUser.call('PUT', `/v1/connections/${connection.uuid}/step2`, 204, { fields, isUpdateFlow: false });
}

/** Creates a link to the hosted UI for the demo user. Its return URL is the documentation, as the demo client has no pages. */
export async function uiLink({ api, service }: DemoSetup): Promise<string> {
  const [identity] = await api.call<{ identity_uuid: string }[]>('GET', '/v1/identities', 200);
  const body = { identity_uuid: identity!.identity_uuid, return_url: `${service.base}/docs` };
  return (await api.call<{ ui_url: string }>('POST', '/token', 201, body)).ui_url;
}

/** A link to the console, for the support team. */
export async function consoleLink({ service, environmentUuid }: DemoSetup): Promise<string> {
  const options = ['--environment', environmentUuid, '--role', 'support', '--expires', '24h'];
  return (await service.command<{ url: string }>(['console', 'link', ...options])).url;
}

/** Runs the first fetches, then adds new documents to both sources and fetches immediately. */
export async function fetchTwice(display: Display, demo: DemoSetup, connections: readonly Connection[]): Promise<void> {
  await display.step('First fetch, which the end of the setup queues', async () => {
    const ended = await Promise.all(connections.map(({ uuid }) => fetched(demo, uuid)));
    return `The first fetch found ${counts(ended)}`;
  });
  await demo.mailbox.deliverAnother();
  await display.step('Fetch now', async () => {
    const ended = await Promise.all(
      connections.map(async ({ uuid }) => {
        const queued = await demo.api.call<{ uuid: string }>('POST', `/v1/connections/${uuid}/fetch-now`, 202);
        return fetched(demo, uuid, queued.uuid);
      }),
    );
    return `Another mail came in; fetch-now (202) found ${counts(ended, ' more')}`;
  });
}

function counts(connections: readonly Connection[], more = ''): string {
  return connections.map(({ name, last_fetch }) => `${last_fetch?.documents_new}${more} in "${name}"`).join(', ');
}

/** The connection after its fetch (the given one, or any) has ended. */
async function fetched({ api, service }: DemoSetup, uuid: string, fetchUuid?: string): Promise<Connection> {
  const deadline = performance.now() + FETCH_MS;
  for (;;) {
    const connection = await api.call<Connection>('GET', `/v1/connections/${uuid}`, 200);
    const { name, status, reason, last_fetch: last } = connection;
    if (last && (!fetchUuid || last.uuid === fetchUuid) && !['QUEUED', 'RUNNING'].includes(last.status)) {
      if (last.status === 'SUCCEEDED') return connection;
      throw new DemoFailure(`The fetch of "${name}" ended with ${last.status}.`, [
        ...(reason ? [`${reason.code}: ${reason.message}`] : []),
        `Log of the service: ${service.log}`,
      ]);
    }
    if (performance.now() > deadline) {
      throw new DemoFailure(`The fetch of "${name}" did not end within ${FETCH_MS / 1000} seconds.`, [
        `Status of the connection: ${status}, last fetch: ${last?.status ?? 'none'}`,
        `Log of the service: ${service.log}`,
      ]);
    }
    await pause(150);
  }
}
