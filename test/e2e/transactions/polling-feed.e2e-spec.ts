import { EventEmitter, once } from 'node:events';
import request from 'supertest';
import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { CommitOrder, randomFrom, Writer } from './concurrent-writers';

interface Page {
  readonly data: {
    readonly transaction_uuid: string;
    readonly connection_uuid: string;
    readonly identity_uuid: string;
    readonly document_type: string;
  }[];
  readonly meta: { readonly poll_cursor: string; readonly has_more: boolean };
}
type Row = Page['data'][number];

const WRITERS = 10;
const COMMITS = 6;
/** More rounds find rarer races; the default keeps the test short. */
const ROUNDS = Number(process.env.POLLING_ROUNDS ?? 1);

describe('The polling feed while many writers commit out of order (decisions 5)', () => {
  const context = useTestContext({ settings: { databasePool: 20 } });
  let apps: TestApp[];

  beforeAll(async () => {
    const { databaseUrl } = context.app;
    apps = [context.app, await startApp({ databaseUrl, settings: { databasePool: 20 } })];
  });
  afterAll(() => apps[1]?.stop());

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'shows every row to every poller exactly once, in the same order (round %i)',
    async (round) => {
      const seed = Date.now() + round;
      const random = randomFrom(seed);
      const feed = await aFeed();
      const wrote = new EventEmitter().setMaxListeners(0);
      let over = false;

      /** Follows the cursor from the beginning, or from the given one, until no more rows can follow. */
      async function poll(which: number, query: string, cursor = '', twice = false): Promise<Row[]> {
        const get = await caller(apps[which % apps.length]!, feed.client);
        const seen: Row[] = [];
        for (;;) {
          const wasOver = over;
          const more = once(wrote, 'more'); // before the request, so that no event is missed
          const page = await get(`?${query}${cursor && `&cursor=${cursor}`}`);
          if (twice) {
            const again = await get(`?${query}${cursor && `&cursor=${cursor}`}`);
            expect(again.data.slice(0, page.data.length)).toEqual(page.data);
          }
          if (page.data.length === 0 && cursor !== 'now' && cursor) expect(page.meta.poll_cursor).toBe(cursor);
          seen.push(...page.data);
          cursor = page.meta.poll_cursor;
          if (page.meta.has_more) continue;
          if (wasOver) return seen;
          if (!over) await more;
        }
      }

      const lottery = new CommitOrder(random, WRITERS);
      const write = async (writer: Writer) => {
        for (let commit = 0; commit < COMMITS; commit++) {
          const fails = random() < 0.15;
          const recorded = writer.record(1 + Math.floor(random() * 4), async () => {
            await lottery.drawn();
            if (fails) throw new Error('rolled back');
          });
          await recorded.catch((error: Error) => expect(error.message).toBe('rolled back'));
          wrote.emit('more');
        }
        lottery.leave();
      };

      // One transaction begins before all others and commits after them.
      const release = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      const sleeper = feed.sleeper.record(3, () => {
        opened.resolve();
        return release.promise;
      });
      await opened.promise;

      const [connection] = feed.connections as [string];
      const pollers = {
        all: [1, 3, 50, 500].map((limit, index) => poll(index, `limit=${limit}`)),
        cautious: poll(1, 'limit=20', '', true),
        identity: poll(0, `limit=4&identity_uuid=${feed.identity}`),
        connection: poll(1, `limit=2&connection_uuid=${connection}`),
        type: poll(0, 'limit=5&document_type=credit_note'),
      };
      const [first, ...rest] = feed.writers as [Writer, ...Writer[]];
      const early = write(first);
      const late = once(wrote, 'more').then(() => poll(0, 'limit=7', 'now'));
      await Promise.all([early, ...rest.map(write)]);
      release.resolve();
      await sleeper;
      over = true;
      wrote.emit('more');

      const all = await poll(0, 'limit=500');
      const committed = await context.query<{ uuid: string }>(
        'select uuid from transaction where environment_uuid = $1',
        [feed.client.environmentUuid],
      );
      expect({ seed, rows: names(all).sort() }).toEqual({ seed, rows: committed.map(({ uuid }) => uuid).sort() });
      expect(new Set(names(all)).size).toBeGreaterThan(WRITERS * COMMITS);
      for (const seen of await Promise.all(pollers.all)) expect({ seed, rows: seen }).toEqual({ seed, rows: all });
      expect({ seed, rows: await pollers.cautious }).toEqual({ seed, rows: all });
      const only = (matches: (row: Row) => boolean) => ({ seed, rows: all.filter(matches) });
      expect({ seed, rows: await pollers.identity }).toEqual(only((row) => row.identity_uuid === feed.identity));
      expect({ seed, rows: await pollers.connection }).toEqual(only((row) => row.connection_uuid === connection));
      expect({ seed, rows: await pollers.type }).toEqual(only((row) => row.document_type === 'credit_note'));
      const suffix = await late;
      expect(suffix.length).toBeGreaterThan(0);
      expect({ seed, rows: suffix }).toEqual({ seed, rows: all.slice(-suffix.length) });
    },
  );

  /** Creates a client with one connection per writer, of two identities. */
  async function aFeed() {
    const client = await createTestClient(context.app);
    const identities = [await client.createIdentity(), await client.createIdentity()] as const;
    const connections: string[] = [];
    for (let index = 0; index <= WRITERS; index++) {
      connections.push(await context.createConnection({ by: client, identity: identities[index % 2]! }));
    }
    await context.query('update connection set setup_completed_at = now() where environment_uuid = $1', [
      client.environmentUuid,
    ]);
    const [sleeper, ...writers] = connections.map(
      (connection, index) =>
        new Writer(apps[index % 2]!, {
          environment: client.environmentUuid,
          identity: identities[index % 2]!,
          connection,
        }),
    );
    return { client, identity: identities[0], connections, sleeper: sleeper!, writers };
  }

  /** Creates a poller with its own key. */
  async function caller(app: TestApp, client: TestClient): Promise<(query: string) => Promise<Page>> {
    const { key } = await context.app.app
      .get(ManageKeys, { strict: false })
      .issue('test', client.environmentUuid, null);
    return async (query) =>
      (await request(app.url).get(`/v1/transactions${query}`).set('X-API-KEY', key).expect(200)).body as Page;
  }

  const names = (rows: readonly Row[]) => rows.map((row) => row.transaction_uuid);
});
