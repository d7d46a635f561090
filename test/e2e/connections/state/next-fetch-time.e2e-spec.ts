import { randomUUID } from 'node:crypto';
import { nextFetchTime } from '../../../../src/connections/state/next-fetch-time';
import { useTestContext } from '../../../harness/app/test-context';

describe('The next fetch time in TypeScript and SQL', () => {
  const context = useTestContext();

  it('agree to the millisecond, for every interval and time', async () => {
    const cases = Array.from({ length: 2000 }, (_, i) => ({
      uuid:
        i === 0 ? `${randomUUID().slice(0, -6)}000000` : i === 1 ? `${randomUUID().slice(0, -6)}ffffff` : randomUUID(),
      since: new Date(Date.UTC(2026, 10, 21) + Math.floor(Math.random() * 1e11)),
      minutes: [5, 7, 60, 1440, 10_080, 525_600][i % 6]!,
    }));
    const rows = await context.query<{ at: Date }>(
      `select next_fetch_time(uuid, since, minutes) as at
       from unnest($1::uuid[], $2::timestamptz[], $3::int[]) with ordinality as given (uuid, since, minutes, n) order by n`,
      [cases.map(({ uuid }) => uuid), cases.map(({ since }) => since), cases.map(({ minutes }) => minutes)],
    );
    expect(rows.map(({ at }) => at.toISOString())).toEqual(
      cases.map(({ uuid, since, minutes }) =>
        nextFetchTime({ uuid }, since, { fetchIntervalMinutes: minutes }).toISOString(),
      ),
    );
  });
});
