import { readFile, writeFile } from 'node:fs/promises';
import { sandbox } from '../../../src/integrations/sandbox/sandbox';
import { ExportEnvironment } from '../../../src/transfers/export/export-environment';
import { IdempotencyKeys } from '../../../src/platform/http/idempotency/idempotency-keys';
import { CONVERTED_TABLES } from '../../../src/transfers/moved-tables';
import { answer, Receiver } from '../../fakes/receiver';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { replaceDataKey } from '../../harness/encryption/replace-data-key';
import { eventually } from '../../harness/eventually';
import { openConsole } from '../../harness/http/console-session';
import { connectSandbox, type TestEngine } from '../../harness/engine/test-engine';
import { createPushClient } from '../provisioning/push/push-setup';
import { clientAt, digestRows, exchangeRows, useInstallations } from './transfer-setup';

interface Page {
  readonly data: { readonly transaction_uuid: string }[];
  readonly meta: { readonly poll_cursor: string; readonly next_cursor: string | null };
}

/** Refused transactions that keep their connections would use up the pool. */
const MORE_THAN_THE_POOL = 30;
const NOTHING_IN_PROGRESS = { deliveries: 0, events: 0, refreshes: 0, responses: 0 };
const documents = { documents: 5, new_per_fetch: 1, document_size_kb: 300 };

/** Polls until the end of the feed; returns the transactions and the cursor. */
async function poll(
  engine: TestEngine,
  client: TestClient,
  cursor?: string,
): Promise<{ seen: string[]; cursor: string }> {
  const seen: string[] = [];
  for (let at = cursor; ;) {
    const query = at === undefined ? '' : `&cursor=${at}`;
    const page = (await (await clientAt(engine, client).get(`/v1/transactions?limit=2${query}`)).json()) as Page;
    seen.push(...page.data.map(({ transaction_uuid }) => transaction_uuid));
    at = page.meta.poll_cursor;
    if (page.meta.next_cursor === null) return { seen, cursor: at };
  }
}

async function expectFenced(engine: TestEngine, client: TestClient, code: string): Promise<void> {
  const answered = await clientAt(engine, client).get('/v1/transactions');
  expect({ status: answered.status, retryAfter: answered.headers.get('retry-after') }).toEqual({
    status: 500,
    retryAfter: '30',
  });
  expect(await answered.json()).toMatchObject({ code });
}

describe('An environment that moves to another installation', () => {
  let onCheck: () => Promise<unknown> = () => Promise.resolve();
  const slowSandbox = { ...sandbox, check: (session: never) => onCheck().then(() => sandbox.check(session)) };
  const installations = useInstallations([slowSandbox]);
  let receiver: Receiver;

  /** Begins an export. `waiting`: what it waits for, unless it ends before; `exported`: the path of the file. */
  async function beginExport(
    environmentUuid: string,
  ): Promise<{ waiting: Promise<unknown>; exported: Promise<string> }> {
    const { source, atTarget, file } = installations;
    const { recipient } = await atTarget.json<{ recipient: string }>(['environment', 'transfer-key']);
    const path = file(`${environmentUuid}.age`);
    const waiting = Promise.withResolvers<unknown>();
    const exported = source.app.app
      .get(ExportEnvironment, { strict: false })
      .export('cli:test', environmentUuid, { recipient, path }, { waiting: waiting.resolve, content: () => undefined })
      .then(() => path);
    return { waiting: Promise.race([waiting.promise, exported]), exported };
  }

  beforeAll(async () => (receiver = await Receiver.start()));
  afterEach(() => receiver.clear());
  afterAll(() => receiver.stop());

  it('keeps everything: cursors, keys, UI tokens, credentials, documents and what waits to be pushed', async () => {
    const { source, target, atSource, atTarget } = installations;
    const [neighbor, resident] = [await createTestClient(source.app), await createTestClient(target.app)];
    receiver.next(answer(200), answer(200));
    receiver.always(answer(503));
    const client = await createPushClient(source, receiver.url());
    const environment = client.environmentUuid;
    const identity = await client.createIdentity('someone');
    const token = await client.createToken(identity);
    const creation = { client_identifier: 'twice' };
    const repeated = { 'Idempotency-Key': 'the-same' };
    const first = await clientAt(source, client).post('/v1/identities', creation, repeated);
    await client
      .request('post', '/v1/webhooks')
      .send({ url: receiver.url('/events'), events: ['document.available'] })
      .expect(201);
    const connection = await connectSandbox(client, documents);
    await source.waitForFetches(connection, 1);
    const delivered = () =>
      source.rows(`select uuid from transaction where connection_uuid = $1 and attempts > 0`, connection);
    await eventually(async () => (await delivered()).length === 5, 'each document was tried');
    const half = (await (await clientAt(source, client).get('/v1/transactions?limit=2')).json()) as Page;
    const content = await (
      await clientAt(source, client).get(`/v1/transactions/${half.data[0]!.transaction_uuid}/document`)
    ).json();

    for (const owner of [environment, connection]) await replaceDataKey(source.app.app, owner);
    const support = await openConsole(source.app, neighbor.environmentUuid, 'SUPPORT');
    const path = await installations.export(environment);
    const sent = receiver.requests.length;
    await expectFenced(source, client, 'ENVIRONMENT_MOVING');
    // The support team still looks at it. What it would record is refused, and each refusal returns its connection to the pool.
    const opened = `/v1/transactions/${half.data[0]!.transaction_uuid}/document`;
    for (let times = 0; times < MORE_THAN_THE_POOL; times++) {
      const refused = await support.request('get', opened, environment).expect(500);
      expect(refused.body).toMatchObject({ code: 'ENVIRONMENT_MOVING' });
    }
    await support.request('post', '/v1/console/endpoint/test', environment).expect(500);
    await support.request('get', '/v1/console/endpoint', environment).expect(200);
    source.app.clock.advance(3600);
    await source.runPolls();

    expect(await atSource.run(['environment', 'update', environment, '--name', 'Other'])).toMatchObject({ status: 1 });
    await atSource.expectRefusal(['environment', 'import', path], /key of another installation/);
    const { receipt } = await atTarget.json<{ receipt: string }>(['environment', 'import', path]);
    expect(await digestRows(target, environment)).toEqual(await digestRows(source, environment));
    const again = await atTarget.json(['environment', 'import', await installations.export(environment, 'again.age')]);
    expect(again).toMatchObject({ receipt, is_new: false });
    await target.runPolls();
    await expectFenced(target, client, 'ENVIRONMENT_MOVING');

    await atTarget.expectRefusal(['environment', 'activate', environment, '--code=guessed'], /not the code/);
    await atSource.expectRefusal(['environment', 'confirm-export', environment, '--receipt=guessed'], /not the code/);
    const confirm = ['environment', 'confirm-export', environment, `--receipt=${receipt}`];
    const { activation_code: code } = await atSource.json<{ activation_code: string }>(confirm);
    await atSource.expectRefusal(['environment', 'cancel-export', environment], /must not/);
    await expectFenced(source, client, 'ENVIRONMENT_MOVED');
    expect(receiver.requests).toHaveLength(sent);
    receiver.always(answer(200));
    const { completion_code } = await atTarget.json<{ completion_code: string }>([
      ...['environment', 'activate', environment, `--code=${code}`],
    ]);

    const rest = await poll(target, client, half.meta.poll_cursor);
    const all = [...half.data.map(({ transaction_uuid }) => transaction_uuid), ...rest.seen];
    expect([...all].sort()).toEqual((await source.transactions(connection)).map(({ uuid }) => uuid).sort());
    expect(await (await clientAt(target, client).get(`/v1/transactions/${all[0]}/document`)).json()).toEqual(content);
    const listed = await fetch(`${target.app.url}/v1/connections`, { headers: { 'X-TOKEN': token } });
    expect(listed.status).toBe(200);
    const second = await clientAt(target, client).post('/v1/identities', creation, repeated);
    expect(await second.json()).toEqual(await first.json());

    target.app.clock.advance(3600);
    await target.runPolls();
    await eventually(
      async () => (await target.transactions(connection)).every(({ status }) => status === 'DELIVERED'),
      'what waited is delivered',
    );
    expect(await clientAt(target, client).post(`/v1/connections/${connection}/fetch-now`, {})).toMatchObject({
      status: 202,
    });
    await target.waitForFetches(connection, 2);
    const later = await poll(target, client, rest.cursor);
    expect(later.seen).toHaveLength(1);
    expect(all).not.toContain(later.seen[0]);

    await atSource.expectRefusal(['environment', 'delete-moved', environment, '--code=guessed'], /not the code/);
    await atSource.runSuccessfully(['environment', 'delete-moved', environment, `--code=${completion_code}`]);
    expect(Object.keys(await digestRows(source, environment))).toEqual(['audit_log']);
    for (const table of CONVERTED_TABLES) {
      expect(await source.count(`select count(*) from ${table} where environment_uuid = $1`, environment)).toBe(0);
    }
    await neighbor.request('get', '/v1/transactions').expect(200);
    await resident.request('get', '/v1/transactions').expect(200);

    // Back again, beside what the audit log still has of it.
    const back = installations.file('back.age');
    const { recipient } = await atSource.json<{ recipient: string }>(['environment', 'transfer-key']);
    await atTarget.runSuccessfully(['environment', 'export', environment, '--recipient', recipient, '--output', back]);
    await atSource.runSuccessfully(['environment', 'import', back]);
    expect((await digestRows(source, environment))['transaction']).toBe(
      (await digestRows(target, environment))['transaction'],
    );
  });

  it('is served by the source again after a cancellation, and its export is worth nothing then', async () => {
    const { source, target, atSource, atTarget } = installations;
    const client = await createTestClient(source.app);
    const environment = client.environmentUuid;
    const connection = await connectSandbox(client, documents);
    await source.waitForFetches(connection, 1);
    const before = await poll(source, client);
    const path = await installations.export(environment);
    const { receipt } = await atTarget.json<{ receipt: string }>(['environment', 'import', path]);
    await atSource.runSuccessfully(['environment', 'cancel-export', environment]);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await source.waitForFetches(connection, 2);
    expect((await poll(source, client, before.cursor)).seen).toHaveLength(1);
    const confirm = ['environment', 'confirm-export', environment, `--receipt=${receipt}`];
    await atSource.expectRefusal(confirm, /is not being exported/);

    const newer = await installations.export(environment, 'newer.age');
    await atSource.expectRefusal(confirm, /not the code/);
    await atTarget.expectRefusal(['environment', 'import', newer], /exists in this installation already/);
    await atTarget.runSuccessfully(['environment', 'discard-import', environment]);
    expect(Object.keys(await digestRows(target, environment))).toEqual(['audit_log']);
    await installations.takeOver(environment, newer);
    expect((await poll(target, client)).seen).toHaveLength(6);
  });

  it('is refused when the file was altered, and continues with the whole file', async () => {
    const { source, target, atTarget } = installations;
    const client = await createTestClient(source.app);
    const environment = client.environmentUuid;
    const connection = await connectSandbox(client, documents);
    await source.waitForFetches(connection, 1);
    const path = await installations.export(environment);
    const bytes = await readFile(path);
    for (const [name, at] of [
      ['documents', 0.5],
      ['rows', 0.999],
    ] as const) {
      const altered = Buffer.from(bytes);
      altered[Math.floor(bytes.length * at)]! ^= 1;
      await writeFile(installations.file(name), altered);
      await atTarget.expectRefusal(['environment', 'import', installations.file(name)], /incomplete or was altered/);
    }
    expect(await target.count('select count(*) from environment where uuid = $1', environment)).toBe(0);
    const stored = await target.count('select count(*) from content where environment_uuid = $1', environment);
    expect(stored).toBe(5);
    const resident = await createTestClient(target.app);
    for (const [exchanged, refusal] of [
      ['identity', /exactly the rows of the environment in identity/],
      ['data_key', /a key of something that belongs to another environment/],
    ] as const) {
      const file = installations.file(exchanged);
      await exchangeRows(target, path, file, exchanged, [environment, resident.environmentUuid]);
      await atTarget.expectRefusal(['environment', 'import', file], refusal);
    }
    expect(await target.count('select count(*) from environment where uuid = $1', environment)).toBe(0);
    await installations.takeOver(environment, path);
    expect((await poll(target, client)).seen).toHaveLength(5);
  });

  it('waits for pushes in flight, whose results move with it', async () => {
    const { source, target } = installations;
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    receiver.always(async ({ response, read }) => {
      await read();
      arrived.resolve();
      await gate.promise;
      response.writeHead(200).end();
    });
    const client = await createPushClient(source, receiver.url());
    const connection = await connectSandbox(client, { ...documents, documents: 1 });
    await arrived.promise;
    const { waiting, exported } = await beginExport(client.environmentUuid);
    expect(await waiting).toEqual({ ...NOTHING_IN_PROGRESS, deliveries: 1 });
    gate.resolve();
    await installations.takeOver(client.environmentUuid, await exported);
    expect(await target.transactions(connection)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('waits for the response to a request whose work is done, which a repetition at the target gets', async () => {
    const { source, target } = installations;
    const client = await createTestClient(source.app);
    const create = (engine: TestEngine) =>
      clientAt(engine, client).post('/v1/identities', { client_identifier: 'once' }, { 'Idempotency-Key': 'once' });
    const [committed, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const keys = source.app.app.get(IdempotencyKeys, { strict: false });
    const store = keys.store.bind(keys);
    jest.spyOn(keys, 'store').mockImplementationOnce(async (...given) => {
      committed.resolve();
      await gate.promise;
      return store(...given);
    });
    const created = create(source);
    await committed.promise;
    const { waiting, exported } = await beginExport(client.environmentUuid);
    expect(await waiting).toEqual({ ...NOTHING_IN_PROGRESS, responses: 1 });
    gate.resolve();
    const first = await (await created).json();
    await installations.takeOver(client.environmentUuid, await exported);
    const again = await create(target);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toEqual(first);
  });

  it('refuses what a request that began before would change afterwards', async () => {
    const { source } = installations;
    const client = await createTestClient(source.app);
    const identity_uuid = await client.createIdentity();
    const hold = Promise.withResolvers<void>();
    const checking = Promise.withResolvers<void>();
    onCheck = () => {
      checking.resolve();
      return hold.promise;
    };
    try {
      const fields = { user: 'u', password: 'p' };
      const creating = clientAt(source, client).post('/v1/connections', {
        integration_id: 'sandbox',
        name: 'A',
        identity_uuid,
        fields,
      });
      await Promise.race([checking.promise, creating]); // it waits for the check; earlier, it would be refused at once
      await installations.export(client.environmentUuid);
      hold.resolve();
      const answered = await creating;
      expect(await answered.json()).toMatchObject({ status: 500, code: 'ENVIRONMENT_MOVING' });
      expect(
        await source.count('select count(*) from connection where environment_uuid = $1', client.environmentUuid),
      ).toBe(0);
    } finally {
      onCheck = () => Promise.resolve();
    }
  });
});
