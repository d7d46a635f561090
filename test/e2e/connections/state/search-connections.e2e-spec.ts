// cspell:ignore rechn überb echn
import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { openConsole, type TestConsole } from '../../../harness/http/console-session';
import { useTestContext } from '../../../harness/app/test-context';

interface Row {
  readonly uuid: string;
  readonly name: string;
  readonly explanation: string;
  readonly identity: { readonly client_identifier: string; readonly display_name: string | null };
}
interface Result {
  readonly data: Row[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean; readonly truncated: boolean };
}

describe('GET /v1/console/connections (decisions 10)', () => {
  const context = useTestContext();
  let console: TestConsole;
  let identity: string;
  beforeAll(async () => {
    console = await openConsole(context.app, context.client.environmentUuid);
    identity = await context.client.createIdentity('customer-4711');
    const path = `/v1/identities/${identity}`;
    await context.client.request('patch', path).send({ display_name: 'Müller & Söhne GmbH' }).expect(200);
  });
  afterEach(() => jest.restoreAllMocks());

  const search = async (query: Record<string, string | number> = {}, lang = 'en') => {
    const answer = await console.request('get', '/v1/console/connections').query(query).set('Lang', lang).expect(200);
    return answer.body as Result;
  };
  const namesOf = ({ data }: Result) => data.map(({ name }) => name);
  const uuidsOf = ({ data }: Result) => data.map(({ uuid }) => uuid);

  it('finds connections by words of name, account and identity, and by uuids', async () => {
    const uuid = await context.createConnection({ identity, name: 'Rechnungen Überblick' });
    await context.query('update connection set account_display = $2 where uuid = $1', [
      uuid,
      'anna.muster@acme.example',
    ]);
    for (const q of [
      'rechn',
      'überb',
      'RECHNUNGEN ü',
      'must',
      'Anna.Muster@ac',
      'acme',
      'customer-47',
      '4711',
      'söhne g',
      uuid,
      identity,
    ]) {
      expect([q, uuidsOf(await search({ q }))]).toEqual([q, [uuid]]);
    }
    for (const q of ['echn', 'söhne ag', '711', randomUUID()])
      expect([q, namesOf(await search({ q }))]).toEqual([q, []]);
  });

  it('follows changes of names, and forgets what is deleted', async () => {
    const uuid = await context.createConnection({ name: 'Firstname' });
    const rename = context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}`);
    await rename.send({ name: 'Renamed' }).expect(204);
    expect(namesOf(await search({ q: 'firstname' }))).toEqual([]);
    expect(namesOf(await search({ q: 'renamed' }))).toEqual(['Renamed']);
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(namesOf(await search({ q: 'renamed' }))).toEqual([]);
    expect(await context.query('select from connection_term where connection_uuid = $1', [uuid])).toEqual([]);
  });

  it('filters by the derived status and health, and explains them in both languages', async () => {
    const other = await context.createActiveConnection();
    const uuid = await context.createActiveConnection();
    const fail = `update connection set failing_since = now(), failure_reason = 'PROVIDER_DOWN' where uuid = $1`;
    await context.query(fail, [uuid]);
    expect(uuidsOf(await search({ health: 'DEGRADED' }))).toEqual([uuid]);
    const ofIntegration = await search({ status: 'ACTIVE', integration_id: 'sandbox' });
    expect(uuidsOf(ofIntegration)).toEqual([uuid, other]);
    expect(namesOf(await search({ status: 'ACTIVE', integration_id: 'imap' }))).toEqual([]);
    expect((await search({ health: 'DEGRADED' }, 'de')).data[0]!.explanation).toContain('Anbieter ist im Moment nicht');
    await context.client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    const { data } = await search({ status: 'DISABLED' });
    expect(data.map((row) => [row.uuid, row.explanation])).toEqual([
      [uuid, 'The source is paused: nothing is fetched until it is resumed.'],
    ]);
    const { body } = await console.request('get', `/v1/console/connections/${uuid}`).expect(200);
    expect((body as { data: Row }).data).toEqual(data[0]);
  });

  it('pages without gaps and repetitions while connections are added', async () => {
    const uuids: string[] = [];
    for (let n = 0; n < 5; n++) uuids.unshift(await context.createConnection({ name: `Paged ${n}` }));
    const first = await search({ q: 'paged', limit: 2 });
    expect(first.meta).toEqual({ next_cursor: expect.any(String), has_more: true, truncated: false });
    await context.createConnection({ name: 'Paged later' });
    const second = await search({ q: 'paged', limit: 2, cursor: first.meta.next_cursor! });
    const third = await search({ q: 'paged', limit: 2, cursor: second.meta.next_cursor! });
    expect([first, second, third].flatMap(uuidsOf)).toEqual(uuids);
    expect(third.meta).toEqual({ next_cursor: null, has_more: false, truncated: false });
    const all = await search({ limit: 3 });
    expect(namesOf(all)[0]).toBe('Paged later');
  });

  it('does not find connections of another environment by any text', async () => {
    const foreign = await context.otherClient.createIdentity('foreign-1');
    await context.createConnection({ by: context.otherClient, identity: foreign, name: 'Foreign' });
    for (const q of ['foreign', 'foreign-1', foreign]) expect(namesOf(await search({ q }))).toEqual([]);
  });

  it('needs the same number of statements for many connections', async () => {
    const pool = await context.app.app.get(EntityManager, { strict: false }).getConnection().getNativeClient();
    const connect = jest.spyOn(pool as unknown as { connect: () => Promise<unknown> }, 'connect');
    const statements = async (limit: number) => {
      connect.mockClear();
      const { data } = await search({ limit });
      expect(data).toHaveLength(limit);
      return connect.mock.calls.length;
    };
    await statements(1);
    const few = await statements(1);
    expect(await statements(6)).toBeLessThan(few + 4);
  });
});
