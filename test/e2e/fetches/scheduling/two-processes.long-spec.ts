import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import request, { type Response } from 'supertest';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { ServiceProcess } from '../../start/service-process';
import { freePort } from '../../../harness/free-port';

const KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** Real processes of the built service that share only the database. */
describe('Two processes of the service', () => {
  let preparing: TestApp;
  let client: TestClient;
  let database: Client;
  let processes: ServiceProcess[];
  let urls: string[];

  beforeAll(async () => {
    preparing = await startApp();
    client = await createTestClient(preparing);
    database = new Client({ connectionString: preparing.databaseUrl });
    await database.connect();
    const ports = [await freePort(), await freePort()];
    urls = ports.map((port) => `http://127.0.0.1:${port}`);
    processes = await Promise.all(
      ports.map((port) =>
        ServiceProcess.start('main', {
          PORT: String(port),
          PUBLIC_URL: 'https://docfetch.test',
          DATABASE_URL: preparing.databaseUrl,
          ENCRYPTION_KEYS: KEYS,
          TOKEN_KEYS: KEYS,
          ROLE: 'api',
          RATE_LIMIT_PER_KEY: '1000000',
        }),
      ),
    );
    await Promise.all(processes.map((process) => process.ready()));
  });
  afterAll(async () => {
    await Promise.all((processes ?? []).map((process) => process.kill('SIGTERM')));
    await database?.end();
    await preparing?.stop();
  });

  const sandbox = (identity: string) => ({
    integration_id: 'sandbox',
    name: 'Portal',
    identity_uuid: identity,
    fields: { user: 'u', password: 'p' },
  });
  const count = async (text: string, value: string) =>
    Number((await database.query<{ n: string }>(`select count(*) as n from ${text}`, [value])).rows[0]!.n);

  /** Twenty concurrent requests, alternating between the two. */
  const twenty = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response[]> =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        request(urls[i % 2]!)
          .post(path)
          .set({ 'X-API-KEY': client.apiKey, ...headers })
          .send(body),
      ),
    );

  async function activeConnection(): Promise<string> {
    const identity = await client.createIdentity();
    const { body } = await client.request('post', '/v1/connections').send(sandbox(identity)).expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    const token = await client.createToken(identity);
    await client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: {} }).expect(204);
    return uuid;
  }

  it('create exactly five fetches from twenty concurrent calls (spec 4.6 rule 1)', async () => {
    const uuid = await activeConnection();
    const answers = await twenty(`/v1/connections/${uuid}/fetch-now`, {});
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(202),
      ...Array<number>(15).fill(429),
    ]);
    for (const { status, body, headers } of answers) {
      if (status === 202) continue;
      expect(body.code).toBe('FETCH_QUOTA_EXCEEDED');
      expect(Number(headers['retry-after'])).toBeGreaterThan(3600 - 120);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600);
    }
    expect(await count(`"fetch" where connection_uuid = $1 and trigger = 'MANUAL'`, uuid)).toBe(5);
  });

  it('create one fetch from twenty calls with one Idempotency-Key, and count one', async () => {
    const uuid = await activeConnection();
    const path = `/v1/connections/${uuid}/fetch-now`;
    const answers = await twenty(path, {}, { 'Idempotency-Key': randomUUID() });
    const accepted = answers.filter(({ status }) => status === 202);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    for (const { body } of answers.filter(({ status }) => status !== 202)) {
      expect(body).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
    }
    expect(await count(`"fetch" where connection_uuid = $1 and trigger = 'MANUAL'`, uuid)).toBe(1);
    const more = (await twenty(path, {})).filter(({ status }) => status === 202);
    expect(more).toHaveLength(4);
  });

  it('create one connection from twenty requests with one Idempotency-Key', async () => {
    const [identity, key] = [await client.createIdentity(), randomUUID()];
    const answers = await twenty('/v1/connections', sandbox(identity), { 'Idempotency-Key': key });
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 201)) {
      expect(body).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
    }
    expect(await count('connection where identity_uuid = $1', identity)).toBe(1);
    const later = await twenty('/v1/connections', sandbox(identity), { 'Idempotency-Key': key });
    expect(new Set(later.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`201 ${made[0]!.text}`]));
  });
});
