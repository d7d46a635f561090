import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { openConsole, type TestConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';

const PATH = '/v1/console/usage';
const HEADER = '\ufeffmonth,environment_uuid,client_name,environment_name,kind,connections,fetches,documents,bytes';

describe('The usage by month in the console (decisions 4 and 7)', () => {
  const context = useTestContext();
  let client: TestClient;
  let developer: TestConsole;
  let support: TestConsole;

  beforeAll(async () => {
    client = await createTestClient(context.app, { environment: { clientName: '=HYPERLINK("x")', name: 'a,b' } });
    developer = await openConsole(context.app, client.environmentUuid);
    support = await openConsole(context.app, client.environmentUuid, 'SUPPORT');
    // Two rows of one month: several database connections have counted.
    await context.query(
      `insert into monthly_usage (environment_uuid, month, shard, connections, fetches, documents, bytes) values
         ($1, '2026-01-01', 0, 1, 10, 5, 5000000000), ($1, '2026-01-01', 1, 2, 20, 6, 5000000000), ($1, '2026-03-01', 0, 1, 1, 1, 1),
         ($2, '2026-01-01', 0, 7, 7, 7, 7)`,
      [client.environmentUuid, context.client.environmentUuid],
    );
  });

  const csv = async (by: TestConsole, query: string) => {
    const answer = await by.request('get', `${PATH}.csv?${query}`).buffer(true).expect(200);
    return { headers: answer.headers as Record<string, string>, lines: answer.text.split('\r\n') };
  };

  it('contains every month of the range, also those without usage', async () => {
    const { body } = await developer.request('get', `${PATH}?from=2025-12&to=2026-03`).expect(200);
    const nothing = { connections: 0, fetches: 0, documents: 0, bytes: 0 };
    expect(body).toEqual({
      data: [
        { month: '2025-12', ...nothing },
        { month: '2026-01', connections: 3, fetches: 30, documents: 11, bytes: 10_000_000_000 },
        { month: '2026-02', ...nothing },
        { month: '2026-03', connections: 1, fetches: 1, documents: 1, bytes: 1 },
      ],
      meta: { next_cursor: null, has_more: false },
    });
    const { body: recent } = await developer.request('get', PATH).expect(200);
    expect(recent.data).toHaveLength(12);
    expect(recent.data[11].month).toBe(context.app.clock.now().toISOString().slice(0, 7));
  });

  it('is exported as CSV without formulas', async () => {
    const { headers, lines } = await csv(developer, 'from=2025-12&to=2026-03');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe('attachment; filename="usage-2025-12-2026-03.csv"');
    const names = `${client.environmentUuid},"'=HYPERLINK(""x"")","a,b",TEST`;
    expect(lines).toEqual([HEADER, `2026-01,${names},3,30,11,10000000000`, `2026-03,${names},1,1,1,1`, '']);
  });

  it('is exported for all environments by the support team only', async () => {
    const { lines } = await csv(support, 'from=2026-01&to=2026-01&all_environments=true');
    expect(lines.filter((line) => line.startsWith('2026-01,'))).toHaveLength(2);
    expect(lines.join()).toContain(context.client.environmentUuid);
    const answer = await developer.request('get', `${PATH}.csv?all_environments=true`);
    expectError(answer, 403, 'SUPPORT_ONLY');
    expect((await csv(developer, 'from=2026-01&to=2026-01')).lines.join()).not.toContain(
      context.client.environmentUuid,
    );
  });

  it('is exported completely when it is longer than what is read at once', async () => {
    await context.query(
      `with made as (
         insert into environment
         select (jsonb_populate_record(e, jsonb_build_object('uuid', gen_random_uuid()))).* from environment e, generate_series(1, 1500)
         where e.uuid = $1 returning uuid)
       insert into monthly_usage (environment_uuid, month, shard, connections, fetches, documents, bytes)
       select uuid, '2020-05-01'::date + make_interval(months => m), 0, 1, 1, 1, 1 from made, generate_series(0, 1) m`,
      [client.environmentUuid],
    );
    const { lines } = await csv(support, 'from=2020-05&to=2020-06&all_environments=true');
    expect(lines).toHaveLength(1 + 3000 + 1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it.each([
    ['a month that does not exist', 'from=2026-13', 'from', 'INVALID_FORMAT'],
    ['a month whose eleven months before have no year', 'to=0001-05', 'to', 'INVALID_FORMAT'],
    ['a day', 'to=2026-01-01', 'to', 'INVALID_FORMAT'],
    ['a reversed range', 'from=2026-02&to=2026-01', 'to', 'NOT_LATER'],
    ['more than ten years', 'from=2016-01&to=2026-01', 'to', 'TOO_MANY'],
  ])('rejects %s', async (_, query, field, code) => {
    for (const path of [PATH, `${PATH}.csv`]) {
      expectError(await developer.request('get', `${path}?${query}`), 422, 'VALIDATION_FAILED', { [field]: code });
    }
  });
});
