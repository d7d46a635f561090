import { EntityManager } from '@mikro-orm/postgresql';
import { NOTHING_HELD } from '../../../../src/fetches/execution/held-outcome';
import { LoadFetches } from '../../../../src/fetches/execution/reading/load-fetches';
import { SettleFetches } from '../../../../src/fetches/execution/settle-fetches';
import { TrimFetches } from '../../../../src/fetches/history/trim-fetches';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import { RETENTION_DAYS, type RetentionClass } from '../../../../src/platform/history/retention-class';
import { useTestContext } from '../../../harness/app/test-context';

const DAY = 86_400;

describe('Old fetches (decisions 4)', () => {
  const context = useTestContext();
  const of = <T>(type: new (...given: never[]) => T): T => context.app.app.get(type, { strict: false });
  let connection: string;

  beforeEach(async () => {
    await context.query('delete from connection');
    connection = await context.createActiveConnection();
    await endDue();
  });

  async function endDue(): Promise<void> {
    const claims = await new ClaimFetches(of(EntityManager), context.app.clock).claim(10);
    for (const fetch of await of(LoadFetches).load(claims)) await of(SettleFetches).settle(fetch, NOTHING_HELD);
  }

  /** The number of fetches that are left so many days later. */
  async function leftAfter(days: number): Promise<number> {
    context.app.clock.advance(days * DAY);
    try {
      await of(TrimFetches).trim();
    } finally {
      context.app.clock.advance(-days * DAY);
    }
    return (await context.query('select 1 from "fetch" where connection_uuid = $1', [connection])).length;
  }

  const change = (text: string) => context.query(text, [connection]);

  it.each(Object.entries(RETENTION_DAYS) as [RetentionClass, number][])(
    'of the class %s are deleted after %i days',
    async (retentionClass, days) => {
      await context.query('update environment set retention_class = $2 where uuid = $1', [
        context.client.environmentUuid,
        retentionClass,
      ]);
      expect(await leftAfter(days - 1)).toBe(1);
      expect(await leftAfter(days + 1)).toBe(0);
      await context.query(`update environment set retention_class = 'STANDARD' where uuid = $1`, [
        context.client.environmentUuid,
      ]);
    },
  );

  it('are deleted in several passes when there are many', async () => {
    await change(
      `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at)
       select uuidv7(), uuid, environment_uuid, 'SCHEDULED', 'SUCCEEDED', 0, 0, 0, 0, 0, now()
       from connection, generate_series(1, 120) where uuid = $1`,
    );
    expect(await leftAfter(91)).toBe(21);
    expect(await leftAfter(91)).toBe(0);
  });

  it('stay while they are not finished', async () => {
    await change(`update "fetch" set status = 'QUEUED' where connection_uuid = $1`);
    expect(await leftAfter(91)).toBe(1);
  });

  it('stay while a document of theirs has to be tried again', async () => {
    await change(
      `insert into fetch_failure (fetch_uuid, environment_uuid, dedupe_key, connection_uuid, filename, code, ref, open, created_at)
       select uuid, environment_uuid, 'one', $1, 'one.pdf', 'DOCUMENT_UNAVAILABLE', '{}', true, now() from "fetch"
       where connection_uuid = $1`,
    );
    expect(await leftAfter(91)).toBe(1);
    await change('update fetch_failure set open = false where connection_uuid = $1');
    expect(await leftAfter(91)).toBe(0);
  });
});
