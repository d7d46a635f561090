import { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from 'pg';
import type { Pooler } from '../../../../src/platform/config/pooler';
import { Receiver } from '../../../fakes/receiver';
import { migratedDatabaseUrl } from '../../../setup/database';
import {
  type DriverConnection,
  OF_SESSION,
  takeSessionStatements,
} from '../../../harness/conformance/session-statements';
import { startApp } from '../../../harness/app/start-app';
import { TestEngine } from '../../../harness/engine/test-engine';
import { createDocuments, isDelivered } from '../../provisioning/push/push-setup';

/** What a service sends to the database in its whole life, by message of the protocol. */
interface Sent {
  readonly parameters: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

const connections = Connection.prototype as unknown as DriverConnection;

/** A service fetches a document, stores, pushes and returns it, and is read. */
async function lifeOf(databasePooler: Pooler | null): Promise<Sent> {
  const databaseUrl = await migratedDatabaseUrl();
  const [startup, parse, query] = [
    jest.spyOn(connections, 'startup'),
    jest.spyOn(connections, 'parse'),
    jest.spyOn(connections, 'query'),
  ];
  const receiver = await Receiver.start();
  const engine = await TestEngine.start({
    databaseUrl,
    settings: { databaseUrl, databasePooler, databaseDirectUrl: null },
  });
  try {
    const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 2);
    for (const { uuid } of transactions) {
      await engine.waitForTransaction(uuid, 'it is pushed', isDelivered);
      await client.request('get', `/v1/transactions/${uuid}/document`).expect(200);
    }
    await client.request('get', `/v1/connections/${connection}`).expect(200);
    await client.request('get', '/v1/transactions').expect(200);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await engine.waitForFetches(connection, 2);
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
  } finally {
    await engine.stop();
    await receiver.stop();
  }
  const parsed = parse.mock.calls.map(([{ name, text }]) => ({ name, text }));
  const sent = {
    parameters: new Set(startup.mock.calls.flatMap(([given]) => Object.keys(given))),
    names: new Set(parsed.flatMap(({ name }) => (name ? [name] : []))),
    texts: new Set([...parsed.map(({ text }) => text), ...query.mock.calls.map(([text]) => text)]),
  };
  jest.restoreAllMocks();
  return sent;
}

const LIMIT = 'idle_in_transaction_session_timeout';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const LIMITED = `begin; set local ${LIMIT} = 60000`;
/** What a transaction of a request begins with: its environment cannot be fenced meanwhile. */
const LOCK =
  "; select pg_advisory_xact_lock_shared(hashtextextended('served:<uuid>', 0)); select fence from environment where uuid = '<uuid>'";

const begins = ({ texts }: Sent) => {
  const all = [...texts].filter((text) => /^begin/.test(text) && !text.includes('lock_timeout'));
  return [...new Set(all.map((text) => text.replace(UUID, '<uuid>')))].sort();
};

describe('A service', () => {
  it('without a pooler prepares its frequent statements, and limits transactions at the start of a connection', async () => {
    const sent = await lifeOf(null);
    expect(sent.names.size).toBeGreaterThan(10);
    expect([...sent.parameters].sort()).toEqual(['application_name', 'database', LIMIT, 'user']);
    expect(begins(sent)).toEqual(['begin', `begin${LOCK}`]);
  });

  it('behind a pooler in transaction mode sends no named statement and nothing that needs a session', async () => {
    const sent = await lifeOf('transaction');
    expect([...sent.names]).toEqual([]);
    expect([...sent.parameters].sort()).toEqual(['application_name', 'database', 'user']);
    expect([...sent.texts].filter((text) => OF_SESSION.test(text))).toEqual([]);
    expect(begins(sent)).toEqual([LIMITED, `${LIMITED}${LOCK}`]);
  });

  it('behind a pooler in session mode prepares statements, but sends no settings of the session', async () => {
    const sent = await lifeOf('session');
    expect(sent.names.size).toBeGreaterThan(10);
    expect([...sent.parameters].sort()).toEqual(['application_name', 'database', 'user']);
    expect(begins(sent)).toEqual([LIMITED, `${LIMITED}${LOCK}`]);
  });

  it('cannot send a statement that needs a session without failing the test', async () => {
    const { app, stop } = await startApp();
    const statement = `set statement_timeout = '1min'`;
    await app.get(EntityManager, { strict: false }).fork().execute(statement);
    expect(takeSessionStatements()).toEqual([statement]);
    await stop();
  });
});
