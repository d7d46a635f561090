import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { RelatedRows, type DeletedResource } from './related-rows';

interface Page {
  readonly data: { readonly transaction_uuid: string; readonly connection_uuid: string }[];
  readonly meta: { readonly next_cursor: string | null; readonly poll_cursor: string; readonly has_more: boolean };
}

describe('Deleting while a client reads', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
  });
  beforeEach(async () => {
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  async function fetched(fields: Record<string, unknown>): Promise<string> {
    const uuid = await connectSandbox(client, { new_per_fetch: 0, document_size_kb: 4, ...fields });
    await engine.waitForFetches(uuid, 1);
    return uuid;
  }

  const page = async (cursor?: string, limit = 7): Promise<Page> => {
    const { body } = await client
      .request('get', `/v1/transactions?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
      .expect(200);
    return body as Page;
  };

  it.each<DeletedResource>(['connection', 'identity'])(
    'the feed continues without gaps for the others when a %s is deleted',
    async (target) => {
      const [gone, stays] = await Promise.all([fetched({ documents: 30 }), fetched({ documents: 30 })]);
      const expected = (await engine.transactions(stays)).map(({ uuid }) => uuid);
      const seen: string[] = [];
      let at = await page();
      for (let n = 0; n < 2; n++) {
        seen.push(...at.data.map(({ transaction_uuid }) => transaction_uuid));
        at = await page(at.meta.poll_cursor);
      }
      await (await RelatedRows.of(engine, client, gone)).delete(target);
      const later = await fetched({ documents: 5 });
      expected.push(...(await engine.transactions(later)).map(({ uuid }) => uuid));
      seen.push(...at.data.map(({ transaction_uuid }) => transaction_uuid));
      for (let more = true; more;) {
        at = await page(at.meta.poll_cursor);
        expect(at.data.map(({ connection_uuid }) => connection_uuid)).not.toContain(gone);
        seen.push(...at.data.map(({ transaction_uuid }) => transaction_uuid));
        more = at.meta.has_more;
      }
      const theirs = seen.filter((uuid) => expected.includes(uuid));
      expect(theirs).toHaveLength(expected.length);
      expect(new Set(theirs)).toEqual(new Set(expected));
      expect(await page(at.meta.poll_cursor)).toEqual({
        data: [],
        meta: { next_cursor: null, has_more: false, poll_cursor: at.meta.poll_cursor },
      });
    },
  );

  it.each(['application/octet-stream', 'application/json'])(
    'a document that is being pulled as %s is aborted',
    async (accept) => {
      const uuid = await fetched({ documents: 1, document_size_kb: 61_440 });
      const [transaction] = await engine.transactions(uuid);
      const request = httpGet(`${engine.app.url}/v1/transactions/${transaction!.uuid}/document`, {
        headers: { 'X-API-KEY': client.apiKey, Accept: accept },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      let received = 0;
      const ended = new Promise<string>((resolve) => {
        response.once('error', () => resolve('broken off'));
        response.once('end', () => resolve('whole'));
      });
      await once(response, 'readable');
      await (await RelatedRows.of(engine, client, uuid)).delete('connection');
      response.on('data', (bytes: Buffer) => (received += bytes.length));
      expect(await ended).toBe('broken off');
      expect(received).toBeLessThan(Number(response.headers['content-length']));
    },
  );

  it('no request fails or hangs under full concurrency', async () => {
    const ROUNDS = 3;
    const statuses = new Set<string>();
    const note = (what: string, status: number) => statuses.add(`${what} ${status}`);
    for (let round = 0; round < ROUNDS; round++) {
      const identity = await client.createIdentity();
      const connections = await Promise.all(Array.from({ length: 6 }, () => fetched({ documents: 60 })));
      // Two of them belong to one identity, which is deleted as a whole.
      await engine.rows(
        'update connection set identity_uuid = $1 where uuid = any($2::uuid[])',
        identity,
        connections.slice(0, 2),
      );
      await engine.rows(
        'update transaction set identity_uuid = $1 where connection_uuid = any($2::uuid[])',
        identity,
        connections.slice(0, 2),
      );
      const uuids = (await Promise.all(connections.map((uuid) => engine.transactions(uuid))))
        .flat()
        .map(({ uuid }) => uuid);
      const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
      await Promise.all([
        ...connections
          .slice(2, 5)
          .map(async (uuid) => note('delete', (await client.request('delete', `/v1/connections/${uuid}`)).status)),
        client.request('delete', `/v1/identities/${identity}`).then(({ status }) => note('delete', status)),
        times(4, async () => note('poll', (await client.request('get', '/v1/transactions?limit=500')).status)),
        times(3, async () =>
          note(
            'redeliver',
            (await client.request('post', '/v1/transactions/redeliver').send({ status: 'AVAILABLE' })).status,
          ),
        ),
        times(3, async () =>
          note(
            'acknowledge',
            (
              await client
                .request('post', '/v1/transactions/acknowledge')
                .send({ transaction_uuids: uuids.toReversed(), result: 'ACCEPTED' })
            ).status,
          ),
        ),
        ...uuids
          .slice(0, 100)
          .filter((_, n) => n % 5 === 0)
          .map(async (uuid) => note('pull', (await client.request('get', `/v1/transactions/${uuid}/document`)).status)),
      ]);
      await eventually(
        async () => (await engine.count('select count(*) from redelivery where finished_at is null')) === 0,
        'the redeliveries end',
      );
    }
    const allowed = [
      'delete 204',
      'poll 200',
      'redeliver 202',
      'acknowledge 204',
      'acknowledge 404',
      'acknowledge 422', // a transaction in the request has been deleted
      'pull 200',
      'pull 404',
    ];
    expect([...statuses].filter((status) => !allowed.includes(status))).toEqual([]);
  });
});
