import { FakeImapServer } from '../../test/fakes/imap/fake-imap-server';
import type { LargeDocument } from '../harness/data/large-document';
import type { Receiver } from '../harness/processes/receiver';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { type Phase, phaseOf, same } from './phase';

const LOGIN = { user: 'invoices', password: 'secret' };
const PUSH_LIMIT_BYTES = 1024 ** 3;

/** The owner of the documents. */
export interface Customer {
  readonly environment: string;
  readonly key: string;
  readonly identity: string;
}

/** Creates an environment that pushes to the receiver, and an identity. */
export async function prepareService(dataDir: string, receiver: Receiver): Promise<Customer> {
  await using service = await Service.start(dataDir);
  const made = await service.command<{ environment_uuid: string; api_key: string }>(
    ...['environment', 'create', '--client', 'Bench', '--name', 'Bench', '--kind', 'test'],
  );
  const environment = made.environment_uuid;
  await service.command('environment', 'update', environment, '--text-extraction', 'off');
  await service.command(
    ...['provisioning', 'set', '--environment', environment, '--strategy', 'push', '--url', receiver.url],
  );
  // The command line cannot set the push limit (50 MiB by default).
  await service.database.query('update environment set push_limit_bytes = $2 where uuid = $1', [
    environment,
    PUSH_LIMIT_BYTES,
  ]);
  const key = made.api_key;
  const body = { client_identifier: 'bench' };
  const identity = await service.call<{ identity_uuid: string }>(key, 'POST', '/v1/identities', body);
  return { environment, key, identity: identity.identity_uuid };
}

/** The service fetches a mailbox with one mail. The endpoint's circuit is open, so the push waits. Returns the connection, too. */
export async function serviceFetch(
  dataDir: string,
  customer: Customer,
  document: LargeDocument,
): Promise<Phase & { connection: string }> {
  const mailbox = await FakeImapServer.start({ users: [LOGIN] });
  try {
    mailbox.append('INBOX', document.mail());
    await using service = await Service.start(dataDir);
    await hold(service, customer, 'infinity');
    let connection = '';
    const phase = await phaseOf(service.usage, async () => {
      connection = await connect(service, customer, mailbox);
      const { ms, sha256 } = await until('the fetch succeeds', () => fetched(service, connection));
      same(sha256, document, 'What the service has stored');
      return ms;
    });
    return { ...phase, connection };
  } finally {
    await mailbox.stop();
  }
}

/** A new service process pushes the fetched document. */
export async function servicePush(
  dataDir: string,
  customer: Customer,
  document: LargeDocument,
  receiver: Receiver,
  connection: string,
): Promise<Phase> {
  await using service = await Service.start(dataDir);
  const arrival = receiver.next();
  const phase = await phaseOf(service.usage, async () => {
    await hold(service, customer, null);
    return until('the push is settled', () => pushed(service, connection));
  });
  same(await arrival, document, 'What the service has pushed');
  await service.call(customer.key, 'DELETE', `/v1/connections/${connection}`);
  return phase;
}

/** Creates a migrated connection, which needs no step 2 and no live check. Returns its uuid. */
async function connect(service: Service, customer: Customer, { host, port }: FakeImapServer): Promise<string> {
  const connection = await service.call<{ uuid: string }>(customer.key, 'POST', '/v1/connections/migrate', {
    integration_id: 'imap',
    name: 'Mailbox',
    identity_uuid: customer.identity,
    fields: { host, port, security: 'NONE', ...LOGIN },
  });
  return connection.uuid;
}

/** Opens the endpoint's circuit, so that nothing is sent. */
async function hold(service: Service, { environment }: Customer, until: 'infinity' | null): Promise<void> {
  await service.database.query(
    `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 0, $2)
     on conflict (environment_uuid) do update set consecutive_failures = 0, circuit_open_until = excluded.circuit_open_until`,
    [environment, until],
  );
}

async function fetched(service: Service, connection: string): Promise<{ ms: number; sha256: string } | undefined> {
  const { rows } = await service.database.query<{ status: string; ms: number; sha256: string }>(
    `select f.status, t.sha256, extract(epoch from f.finished_at - f.started_at)::float8 * 1000 as ms
     from "fetch" f left join transaction t on t.fetch_uuid = f.uuid
     where f.connection_uuid = $1 and f.finished_at is not null`,
    [connection],
  );
  const [run] = rows;
  if (run && run.status !== 'SUCCEEDED') throw new Error(`The fetch has ended as ${run.status}.`);
  return run;
}

async function pushed(service: Service, connection: string): Promise<number | undefined> {
  const { rows } = await service.database.query<{
    status: number | null;
    error_code: string | null;
    duration_ms: number;
  }>(
    `select a.status, a.error_code, a.duration_ms from delivery_attempt a join transaction t on t.uuid = a.transaction_uuid
     where t.connection_uuid = $1`,
    [connection],
  );
  const [attempt] = rows;
  if (attempt && attempt.status !== 200)
    throw new Error(`The push has ended with ${attempt.status ?? attempt.error_code}.`);
  return attempt?.duration_ms;
}
