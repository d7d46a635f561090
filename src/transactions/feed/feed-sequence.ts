import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { affected, prepared, sql } from '../../platform/database/sql';
import { decodeCursor, encodeCursor } from '../../platform/http/input/page';

const BATCH = 5_000;

/** A table whose rows are polled as a feed in the order of the column `position`. */
export interface FeedDefinition {
  /** Identifies the feed in its lock and its cursors. */
  readonly name: string;
  readonly table: string;
  /** SQL: the rows that may get their position. */
  readonly eligible: string;
}

const TRANSACTION_FEED: FeedDefinition = { name: 'feed', table: 'transaction', eligible: 'true' };
/** Events get their position after they were dispatched to the webhooks. */
export const EVENT_FEED: FeedDefinition = { name: 'events', table: 'outbox', eligible: 'dispatched_at is not null' };

/**
 * SQL: gives the next positions to rows of an environment ($1). The last conditions are true for all of them: they let the index of the
 * rows without a position serve both sides, where the uuid alone would read all partitions of the history.
 */
export const assignPositions = ({ table, eligible }: FeedDefinition): string => `
  update ${table} t set position = placed.position
  from (select uuid, nextval('${table}_position_seq') as position
        from (select uuid from ${table} where environment_uuid = $1 and position is null and ${eligible}
              order by uuid limit ${BATCH} for update) waiting) placed
  where t.uuid = placed.uuid and t.environment_uuid = $1 and t.position is null and ${eligible}`;

/**
 * The order of a polling feed (decisions 5). A row gets its position after its commit, when a client polls, under a
 * lock per environment that is held until the positions are visible. So no position becomes visible after a higher one,
 * regardless of the order of the commits, and writers never wait for each other.
 */
@Injectable()
export class FeedSequence {
  constructor(private readonly em: EntityManager) {}

  /** Assigns a position to every committed row of the environment. */
  async assign(environmentUuid: string, feed: FeedDefinition = TRANSACTION_FEED): Promise<void> {
    while (await this.hasUnassigned(environmentUuid, feed)) {
      const placed = await this.em.fork().transactional(async (em) => {
        await sql(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${feed.name}:${environmentUuid}`]);
        return affected(em, assignPositions(feed), [environmentUuid]);
      });
      if (placed < BATCH) return;
    }
  }

  /**
   * The position after which a page begins.
   * @throws ApiError 422 naming `cursor`
   */
  async startPosition(
    environmentUuid: string,
    cursor: string | undefined,
    feed: FeedDefinition = TRANSACTION_FEED,
  ): Promise<number> {
    if (cursor === undefined) return 0;
    if (cursor === 'now') return this.lastPosition(environmentUuid, feed);
    const mark = cursorTag(environmentUuid, feed);
    const [position] = decodeCursor<[number, string]>(
      cursor,
      ([value, marked, ...rest]) =>
        Number.isSafeInteger(value) && (value as number) >= 0 && marked === mark && rest.length === 0,
    );
    return position;
  }

  /** The cursor after a position. */
  cursorOf(environmentUuid: string, position: number, feed: FeedDefinition = TRANSACTION_FEED): string {
    return encodeCursor([position, cursorTag(environmentUuid, feed)]);
  }

  /** True also while another process assigns positions and has not committed: then `assign` waits for its lock. */
  private async hasUnassigned(environmentUuid: string, { table, eligible: ready }: FeedDefinition): Promise<boolean> {
    const [row] = await prepared<{ missing: boolean }>(
      this.em,
      `select exists (select from ${table} where environment_uuid = $1 and position is null and ${ready}) as missing`,
      [environmentUuid],
    );
    return row!.missing;
  }

  /** The last assigned position of the environment, or 0. */
  async lastPosition(environmentUuid: string, { table }: FeedDefinition = TRANSACTION_FEED): Promise<number> {
    const [row] = await sql<{ last: string | null }>(
      this.em,
      `select max(position) as last from ${table} where environment_uuid = $1 and position is not null`,
      [environmentUuid],
    );
    return Number(row?.last ?? 0);
  }
}

/**
 * Marks a cursor with its environment and feed: in another one it is rejected, because it would skip or repeat rows.
 */
const cursorTag = (environmentUuid: string, feed: FeedDefinition): string => {
  const environment = environmentUuid.slice(-12);
  return feed === TRANSACTION_FEED ? environment : `${feed.name}:${environment}`;
};
