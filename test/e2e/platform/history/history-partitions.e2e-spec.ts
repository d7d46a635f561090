import { v7 } from 'uuid';
import { MaintainPartitions } from '../../../../src/platform/history/maintain-partitions';
import { UpdateEnvironment } from '../../../../src/identities/environments/update-environment';
import { HISTORY_TABLES, neededPartitions, partitionSets } from '../../../../src/platform/history/history-partitions';
import { RETENTION_DAYS, type RetentionClass } from '../../../../src/platform/history/retention-class';
import { migratedDatabaseUrl } from '../../../setup/database';
import { useTestContext } from '../../../harness/app/test-context';

const DAY = 86_400;

describe('The history (decisions 4)', () => {
  // A database of its own, because partitions are dropped.
  const options: { databaseUrl?: string } = {};
  beforeAll(async () => {
    options.databaseUrl = await migratedDatabaseUrl();
  });
  const context = useTestContext(options);
  const maintain = () => context.app.app.get(MaintainPartitions, { strict: false });
  /** As by a worker that has processed all events. */
  const dispatchAll = () => context.query('update outbox set dispatched_at = now() where dispatched_at is null');
  const now = () => context.app.clock.now();
  const environment = () => context.client.environmentUuid;

  async function partitions(retentionClass: RetentionClass): Promise<string[]> {
    const rows = await context.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       where p.relname = any($1::text[]) order by 1`,
      [HISTORY_TABLES.map((table) => `${table}_${retentionClass.toLowerCase()}`)],
    );
    return rows.map(({ name }) => name);
  }

  const useClass = (retentionClass: RetentionClass) =>
    context.app.app.get(UpdateEnvironment, { strict: false }).update('test', environment(), { retentionClass });

  /** An event of today, written as the service writes it. */
  async function addEvent(connection: string): Promise<{ uuid: string; retention_class: string }> {
    await context.client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    await context.client.request('put', `/v1/connections/${connection}/enable`).expect(204);
    const [event] = await context.query<{ uuid: string; retention_class: string }>(
      'select uuid, retention_class from outbox where subject_uuid = $1 order by uuid desc limit 1',
      [connection],
    );
    return event!;
  }

  afterEach(async () => {
    await useClass('STANDARD');
  });

  it('has the partitions of the next thirty days for the classes of environments, and for no other class', async () => {
    const expected = partitionSets(['STANDARD'])
      .filter(({ retentionClass }) => retentionClass === 'STANDARD')
      .flatMap((set) => neededPartitions(set, now()).map(({ name }) => name));
    expect(await partitions('STANDARD')).toEqual(expected.toSorted());
    expect(await partitions('LONG')).toEqual([]);
    expect(await maintain().createAhead()).toEqual([]);
  });

  it('is written to the class of the environment at the time, from the moment the class is set', async () => {
    const connection = await context.createActiveConnection();
    expect(await addEvent(connection)).toMatchObject({ retention_class: 'STANDARD' });
    await useClass('SHORT');
    expect(await addEvent(connection)).toMatchObject({ retention_class: 'SHORT' });
    const classes = await context.query(
      'select distinct retention_class from outbox where subject_uuid = $1 order by 1',
      [connection],
    );
    expect(classes).toEqual([{ retention_class: 'SHORT' }, { retention_class: 'STANDARD' }]);
  });

  it('is dropped in whole partitions once all rows of one have expired, class by class', async () => {
    const connection = await context.createActiveConnection();
    const standard = await addEvent(connection);
    await useClass('SHORT');
    const short = await addEvent(connection);
    const left = async () =>
      (
        await context.query<{ uuid: string }>('select uuid from outbox where uuid = any($1::uuid[])', [
          [standard.uuid, short.uuid],
        ])
      ).map(({ uuid }) => uuid);
    await dispatchAll();
    const at = now();
    try {
      context.app.clock.advance(RETENTION_DAYS.SHORT * DAY);
      await maintain().maintain();
      expect((await left()).toSorted()).toEqual([standard.uuid, short.uuid].toSorted());
      context.app.clock.advance(10 * DAY);
      await maintain().maintain();
      expect(await left()).toEqual([standard.uuid]);
      context.app.clock.advance((RETENTION_DAYS.STANDARD - RETENTION_DAYS.SHORT + 20) * DAY);
      await maintain().maintain();
      expect(await left()).toEqual([]);
      // A year later as many partitions exist as today.
      const count = (await partitions('STANDARD')).length;
      for (let month = 0; month < 12; month++) {
        context.app.clock.advance(30 * DAY);
        await maintain().maintain();
      }
      expect(Math.abs((await partitions('STANDARD')).length - count)).toBeLessThanOrEqual(HISTORY_TABLES.length);
    } finally {
      context.app.clock.advance((at.getTime() - now().getTime()) / 1000);
      await maintain().createAhead();
    }
  });

  it('deletes the log of webhooks after ninety days', async () => {
    const [webhook, environmentUuid] = [v7(), environment()];
    await context.query(
      `insert into webhook (uuid, environment_uuid, url, events, secrets, consecutive_failures, created_at, updated_at)
       values ($1, $2, 'https://client.example', '[]', '', 0, now(), now())`,
      [webhook, environmentUuid],
    );
    await context.query(
      `insert into webhook_delivery (uuid, environment_uuid, retention_class, webhook_uuid, type, state, created_at)
       values (uuidv7(), $2, 'STANDARD', $1, 'webhook.test', 'DELIVERED', now())`,
      [webhook, environmentUuid],
    );
    const log = () => context.query('select 1 from webhook_delivery where webhook_uuid = $1', [webhook]);
    try {
      context.app.clock.advance(90 * DAY);
      await maintain().maintain();
      expect(await log()).toHaveLength(1);
      context.app.clock.advance(31 * DAY);
      await maintain().maintain();
      expect(await log()).toEqual([]);
    } finally {
      context.app.clock.advance(-121 * DAY);
      await maintain().createAhead();
    }
  });

  it('includes the audit log for 400 days in every class, which rejects changes in its partitions too', async () => {
    await context.createActiveConnection();
    const [{ partition }] = (await context.query<{ partition: string }>(
      'select tableoid::regclass::text as partition from audit_log where environment_uuid = $1 limit 1',
      [environment()],
    )) as [{ partition: string }];
    for (const table of ['audit_log', partition]) {
      await expect(context.query(`delete from ${table}`)).rejects.toThrow('append-only');
      await expect(context.query(`update ${table} set actor = ''`)).rejects.toThrow('append-only');
    }
    await expect(context.query('truncate audit_log')).rejects.toThrow('append-only');
    const entries = () => context.query(`select 1 from audit_log where environment_uuid = $1`, [environment()]);
    const count = (await entries()).length;
    try {
      context.app.clock.advance(400 * DAY);
      await maintain().maintain();
      expect(await entries()).toHaveLength(count);
      context.app.clock.advance(51 * DAY);
      await maintain().maintain();
      expect(await entries()).toEqual([]);
    } finally {
      context.app.clock.advance(-451 * DAY);
      await maintain().createAhead();
    }
  });

  it('loses what was sent of an event together with the event', async () => {
    const connection = await context.createActiveConnection();
    await context.client
      .request('post', '/v1/webhooks')
      .send({ url: 'http://localhost:9/', events: ['connection.status_changed'] })
      .expect(201);
    const event = await addEvent(connection);
    await useClass('LONG');
    // Resent after the class was changed: its partition is kept for longer than that of the event.
    await context.client.request('post', `/v1/events/${event.uuid}/resend`).expect(202);
    const deliveries = () => context.query('select 1 from webhook_delivery where event_uuid = $1', [event.uuid]);
    expect(await deliveries()).toHaveLength(1);
    await dispatchAll();
    const days = RETENTION_DAYS.STANDARD + 31;
    try {
      context.app.clock.advance(days * DAY);
      await maintain().maintain();
      expect(await deliveries()).toEqual([]);
    } finally {
      context.app.clock.advance(-days * DAY);
      await maintain().createAhead();
    }
  });

  it('keeps what was sent of events of another class, which lie in the same range of time', async () => {
    const connection = await context.createActiveConnection();
    const webhook = v7();
    await context.query(
      `insert into webhook (uuid, environment_uuid, url, events, secrets, consecutive_failures, created_at, updated_at)
       values ($1, $2, 'https://client.example', '[]', '', 0, now(), now())`,
      [webhook, environment()],
    );
    const sentOf = async (retentionClass: RetentionClass) => {
      await useClass(retentionClass);
      const { uuid } = await addEvent(connection);
      await context.query(
        `insert into webhook_delivery (uuid, environment_uuid, retention_class, webhook_uuid, event_uuid, type, state, created_at)
         values (uuidv7(), $1, $2, $3, $4, 'connection.status_changed', 'DELIVERED', now())`,
        [environment(), retentionClass, webhook, uuid],
      );
      return uuid;
    };
    const [standard, long] = [await sentOf('STANDARD'), await sentOf('LONG')];
    await dispatchAll();
    const days = RETENTION_DAYS.STANDARD + 31;
    try {
      context.app.clock.advance(days * DAY);
      await maintain().maintain();
      const left = await context.query('select event_uuid from webhook_delivery where event_uuid = any($1::uuid[])', [
        [standard, long],
      ]);
      expect(left).toEqual([{ event_uuid: long }]);
    } finally {
      context.app.clock.advance(-days * DAY);
      await maintain().createAhead();
    }
  });

  it('is kept as long as a part of it has not been sent, although it has expired', async () => {
    const connection = await context.createActiveConnection();
    const { uuid } = await addEvent(connection);
    const events = () => context.query('select 1 from outbox where uuid = $1', [uuid]);
    const days = RETENTION_DAYS.STANDARD + 31;
    try {
      context.app.clock.advance(days * DAY);
      await maintain().maintain();
      expect(await events()).toHaveLength(1);
      await dispatchAll();
      await maintain().maintain();
      expect(await events()).toEqual([]);
    } finally {
      context.app.clock.advance(-days * DAY);
      await maintain().createAhead();
    }
  });

  describe('of fetches', () => {
    /** A fetch that was queued this number of days ago. */
    async function addQueued(daysAgo = 0): Promise<{ uuid: string; connection: string }> {
      const [uuid, connection] = [
        v7({ msecs: Date.now() - daysAgo * DAY * 1000 }),
        await context.createActiveConnection(),
      ];
      await context.query(
        `insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at)
         values ($1, $2, $3, 'MANUAL', 'QUEUED', 0, 0, 0, 0, 0, now())`,
        [uuid, connection, environment()],
      );
      return { uuid, connection };
    }

    const end = (uuid: string, retentionClass: RetentionClass) =>
      context.query(
        `update "fetch" set status = 'SUCCEEDED', finished_at = now(), retention_class = $2 where uuid = $1`,
        [uuid, retentionClass],
      );

    const addFailure = (uuid: string, key: string, open: boolean) =>
      context.query(
        `insert into fetch_failure (fetch_uuid, environment_uuid, dedupe_key, connection_uuid, filename, code, ref, open, created_at)
         select uuid, environment_uuid, $2, connection_uuid, 'one.pdf', 'DOCUMENT_UNAVAILABLE', '{}', $3, now() from "fetch" where uuid = $1`,
        [uuid, key, open],
      );

    const left = (table: string, uuid: string) =>
      context.query(`select * from ${table} where ${table === 'fetch_failure' ? 'fetch_uuid' : 'uuid'} = $1`, [uuid]);

    async function maintainAfter(days: number): Promise<void> {
      await dispatchAll();
      context.app.clock.advance(days * DAY);
      try {
        await maintain().maintain();
      } finally {
        context.app.clock.advance(-days * DAY);
        await maintain().createAhead();
      }
    }

    it('is dropped with the failures of the fetches, but not with those of documents that are tried again', async () => {
      const { uuid } = await addQueued();
      await addFailure(uuid, 'closed', false);
      await addFailure(uuid, 'open', true);
      await end(uuid, 'STANDARD');
      await maintainAfter(RETENTION_DAYS.STANDARD);
      expect(await left('"fetch"', uuid)).toHaveLength(1);
      expect(await left('fetch_failure', uuid)).toHaveLength(2);
      await maintainAfter(RETENTION_DAYS.STANDARD + 31);
      expect(await left('"fetch"', uuid)).toEqual([]);
      expect(await left('fetch_failure', uuid)).toMatchObject([{ dedupe_key: 'open' }]);
    });

    it('does not contain unfinished ones, and keeps the place into which they move', async () => {
      const { uuid } = await addQueued();
      await maintainAfter(RETENTION_DAYS.STANDARD + 31);
      expect(await left('fetch_unfinished', uuid)).toHaveLength(1);
      await end(uuid, 'STANDARD');
      expect(await left('fetch_standard', uuid)).toHaveLength(1);
      expect(await left('fetch_unfinished', uuid)).toEqual([]);
    });

    it('has a place for fetches that have waited for longer than their class is used', async () => {
      const { uuid } = await addQueued(25); // before the partitions of ten days that a class without such a fetch would get
      await useClass('SHORT');
      await end(uuid, 'SHORT');
      expect(await left('fetch_short', uuid)).toHaveLength(1);
    });

    it('is deleted with the connection, in every class', async () => {
      const { uuid, connection } = await addQueued();
      await end(uuid, 'STANDARD');
      await context.client.request('delete', `/v1/connections/${connection}`).expect(204);
      expect(await left('"fetch"', uuid)).toEqual([]);
    });
  });

  it('is found by uuid in at most one partition of each class, and newest first without sorting', async () => {
    const plan = async (text: string) =>
      JSON.stringify(await context.query(`explain (format json, costs off) ${text}`));
    const byUuid = await plan(`select * from outbox where uuid = '${v7()}'`);
    const read = [...byUuid.matchAll(/"Relation Name":\s*"outbox_([a-z]+)_/g)].map(
      ([, retentionClass]) => retentionClass,
    );
    expect(read).toContain('standard');
    expect(new Set(read).size).toBe(read.length);
    await context.query('set enable_seqscan = off');
    const log = await plan(
      `select * from webhook_delivery where webhook_uuid = '${v7()}' and uuid < '${v7()}' order by uuid desc limit 100`,
    );
    await context.query('reset enable_seqscan');
    expect(log).not.toMatch(/"Node Type":\s*"Sort"/);
  });
});
