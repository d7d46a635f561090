import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { Response } from 'supertest';
import type { ProvisioningSettings } from '../../../../src/identities/environments/set-provisioning';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { useTestContext } from '../../../harness/app/test-context';

/** With a character that URLs, JSON and SQL each encode differently. */
const secret = (name: string) => `${name}-${randomBytes(9).toString('hex')}`;

const SECRETS = {
  password: secret('password'),
  refused: secret('refused'),
  unstored: secret('unstored'),
  malformed: secret('malformed'),
  migrated: secret('migrated'),
  bearer: secret('bearer'),
  query: secret('query'),
  header: secret('header'),
};

describe('secrets', () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const context = useTestContext({ role: 'all', log, settings: { logLevel: 'trace' } });
  const errorBodies: string[] = [];
  const received: IncomingMessage[] = [];
  let receiver: Server;
  let imap: FakeImapServer;
  const clients: TestClient[] = [];

  const noted = (answer: Response, status: number) => {
    expect(answer.status).toBe(status);
    errorBodies.push(JSON.stringify([answer.headers, answer.text]));
  };

  /** A client whose documents are pushed with a secret; every second push is rejected. */
  async function pushedTo(port: number, auth: ProvisioningSettings['auth'], value: string): Promise<TestClient> {
    const url = `http://127.0.0.1:${port}/documents`;
    const client = await createTestClient(context.app, {
      provisioning: { strategy: 'PUSH', url, auth, secret: value },
    });
    const identity_uuid = await client.createIdentity();
    const fields = { user: 'u', password: SECRETS.migrated, documents: 2 };
    const body = { integration_id: 'sandbox', name: 'Portal', identity_uuid, fields };
    // A migration fetches from today on; documents come from a new connection.
    await client.request('post', '/v1/connections/migrate').send(body).expect(201);
    const created = await client.request('post', '/v1/connections').send(body).expect(201);
    const path = `/v1/connections/${created.body.data.uuid}/step2`;
    await client
      .requestWithToken(await client.createToken(identity_uuid), 'put', path)
      .send({ fields: {} })
      .expect(204);
    clients.push(client);
    return client;
  }

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(request);
      response.writeHead(received.length % 2 ? 500 : 200).end();
      request.resume();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    imap = await FakeImapServer.start({ users: [{ user: 'u', password: SECRETS.password }] });
    const { port } = receiver.address() as AddressInfo;
    const create = (fields: object, integration_id = 'sandbox') =>
      context.client
        .request('post', '/v1/connections')
        .send({ integration_id, name: 'To be found', identity_uuid: context.identity, fields });
    const mailbox = { host: '127.0.0.1', port: imap.port, security: 'NONE', user: 'u' };

    // Valid credentials, rejected ones, and every kind of failure of a request with a password.
    const { body } = await create({ ...mailbox, password: SECRETS.password }, 'imap').expect(201);
    noted(await create({ ...mailbox, password: SECRETS.refused }, 'imap'), 422);
    noted(await create({ ...mailbox, host: '10.0.0.1', password: SECRETS.unstored }, 'imap'), 422);
    noted(await create({ user: 1, password: SECRETS.unstored, more: SECRETS.unstored }), 422);
    noted(await create({ user: 'u', password: [SECRETS.unstored] }), 422);
    noted(
      await create({ user: 'u', password: SECRETS.unstored, scenario: 'provider_changed', fails_from: 'setup' }),
      422,
    );
    const broken = context.client.request('post', '/v1/connections').set('Content-Type', 'application/json');
    noted(await broken.send(`{"fields":{"password":"${SECRETS.malformed}"`), 422);
    await context.query('alter table audit_log rename to audit_log_moved');
    noted(await create({ user: 'u', password: SECRETS.unstored }), 500);
    await context.query('alter table audit_log_moved rename to audit_log');
    const put = (path: string, change: object) =>
      context.client.requestWithToken(context.token, 'put', path).send(change);
    noted(await put(`/v1/connections/${body.data.uuid}`, { fields: { password: SECRETS.refused } }), 422);
    await put(`/v1/connections/${body.data.uuid}/step2`, { fields: {} }).expect(204);
    noted(await requestWithoutCredentials(context.app, 'get', `/ui/nowhere?token=${context.token}`), 404);
    noted(
      await requestWithoutCredentials(context.app, 'get', '/v1/connections').set('X-TOKEN', `${context.token}x`),
      401,
    );
    noted(
      await requestWithoutCredentials(context.app, 'get', '/v1/identities').set(
        'X-API-KEY',
        `${context.client.apiKey}x`,
      ),
      401,
    );

    // Pushes with each kind of secret: delivered, rejected, and to a closed port.
    await pushedTo(port, 'BEARER', SECRETS.bearer);
    await pushedTo(port, 'QUERY', SECRETS.query);
    await pushedTo(9, 'HEADER', SECRETS.header);
    await pushedTo(9, 'QUERY', SECRETS.query);
    await eventually(async () => {
      const rows = await context.query<{ n: number }>(
        `select count(distinct t.environment_uuid)::int as n from delivery_attempt a join transaction t on t.uuid = a.transaction_uuid`,
      );
      return rows[0]!.n === 4;
    }, 'each client has had an attempt');
    await eventually(
      async () => (await context.query("select from outbox where type = 'fetch.finished'")).length >= 5,
      'fetches end',
    );
    await imap.stop();
    await context.client.request('post', `/v1/connections/${body.data.uuid}/fetch-now`).expect(202);
    await eventually(
      async () =>
        (await context.query(`select from "fetch" where trigger = 'MANUAL' and status = 'FAILED'`)).length > 0,
      'a fetch without its server fails',
    );
  });

  afterAll(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
    await imap?.stop();
  });

  /** The plain text and its encodings in bytes, in a URL and in a Basic header. */
  const spellings = (value: string) => [
    value,
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1),
  ];
  const found = (text: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .filter(([, value]) => spellings(value).some((spelling) => text.includes(spelling)))
      .map(([name]) => name);

  const credentials = () => ({
    ...Object.fromEntries(clients.map(({ apiKey }, i) => [`key ${i}`, apiKey])),
    ...Object.fromEntries(
      clients.map(({ signingSecret }, i) => [`signing secret ${i}`, signingSecret.replace('whsec_', '')]),
    ),
    key: context.client.apiKey,
    token: context.token,
  });

  it('reach their recipient', () => {
    expect(received.map(({ headers }) => headers.authorization)).toContain(`Bearer ${SECRETS.bearer}`);
    expect(received.map(({ url }) => url)).toContain(`/documents?token=${SECRETS.query}`);
    expect(imap.commands).toContain('AUTHENTICATE');
  });

  it('are in no log line, at any level and on any failure', () => {
    const text = lines.join('');
    expect(lines.length).toBeGreaterThan(50);
    expect(text).toContain('/v1/connections/migrate');
    expect(text).toContain('audit_log'); // the database's error is logged
    expect(found(text, { ...SECRETS, ...credentials() })).toEqual([]);
    expect(text).not.toMatch(/\?token=|x-api-key"?:|x-token"?:/i);
  });

  it('are in no error body', () => {
    expect(errorBodies).toHaveLength(11);
    expect(found(errorBodies.join('\n'), { ...SECRETS, ...credentials() })).toEqual([]);
  });

  it('are nowhere in the database in plain text', async () => {
    const tables = await context.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    );
    const dump: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await context.query<{ all: string | null }>(
        `select string_agg(t::text, E'\\n') as all from ${name} t`,
      );
      dump[name] = row!.all ?? '';
    }
    // Proves that the search finds values in text, in JSON and in bytes.
    expect(dump['public.connection']).toContain('To be found');
    expect(dump['public.connection']).toContain('127.0.0.1');
    expect(dump['public.delivery_attempt']).not.toBe('');
    expect(dump['public.audit_log']).toContain('connection.create');
    expect(dump['public.outbox']).toContain('fetch_uuid');
    for (const [table, text] of Object.entries(dump)) {
      expect([table, found(text, { ...SECRETS, ...credentials() })]).toEqual([table, []]);
    }
  });

  it('are in no response to a client', async () => {
    const texts: string[] = [];
    for (const client of [context.client, ...clients]) {
      for (const path of ['/v1/identities', '/v1/transactions'])
        texts.push((await client.request('get', path).expect(200)).text);
    }
    const { body } = await context.client.requestWithToken(context.token, 'get', '/v1/connections').expect(200);
    for (const { uuid } of body.data as { uuid: string }[]) {
      for (const path of ['', '/information']) {
        texts.push((await context.client.request('get', `/v1/connections/${uuid}${path}`).expect(200)).text);
      }
    }
    expect(texts.join('')).toContain('To be found');
    expect(found(texts.join('\n'), { ...SECRETS, ...credentials() })).toEqual([]);
  });
});
