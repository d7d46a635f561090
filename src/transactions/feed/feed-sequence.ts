import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { affected, prepared, sql } from '../../platform/database/sql';
import { decodeCursor, encodeCursor } from '../../platform/http/input/page';

const BATCH = 5_000;

/** A table whose rows are polled as a feed, by a column `position` that its sequence fills. */
export interface FeedDefinition {
  /** For the lock, and the mark in its cursors. */
  readonly name: string;
  readonly table: string;
  /** SQL: which rows may have their place already. */
  readonly eligible: string;
}

const TRANSACTION_FEED: FeedDefinition = { name: 'feed', table: 'transaction', eligible: 'true' };
/** Events have their place once those who asked for them have been found. */
export const EVENT_FEED: FeedDefinition = { name: 'events', table: 'outbox', eligible: 'dispatched_at is not null' };

/**
 * The order of a polling feed (decisions 5). A row gets its position after its commit, when somebody polls: under a
 * lock per environment that is held until the positions are visible. So a visible position has no unseen one before it,
 * however out of order the writers committed, and writers never wait for each other.
 */
@Injectable()
export class FeedSequence {
  constructor(private readonly em: EntityManager) {}

  /** Gives every committed row of the environment its place. */
  async assign(environmentUuid: string, feed: FeedDefinition = TRANSACTION_FEED): Promise<void> {
    while (await this.hasUnassigned(environmentUuid, feed)) {
      const placed = await this.em.fork().transactional(async (em) => {
        await sql(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${feed.name}:${environmentUuid}`]);
        return affected(
          em,
          `update ${feed.table} t set position = placed.position
           from (select uuid, nextval('${feed.table}_position_seq') as position
                 from (select uuid from ${feed.table} where environment_uuid = $1 and position is null and ${feed.eligible}
                       order by uuid limit ${BATCH} for update) waiting) placed
           where t.uuid = placed.uuid`,
          [environmentUuid],
        );
      });
      if (placed < BATCH) return;
    }
  }

  /**
   * The position that a page begins behind.
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

  /** The cursor behind a position. */
  cursorOf(environmentUuid: string, position: number, feed: FeedDefinition = TRANSACTION_FEED): string {
    return encodeCursor([position, cursorTag(environmentUuid, feed)]);
  }

  /** Whoever is placing them at this moment has not committed yet: they are still missing, and the lock makes us wait. */
  private async hasUnassigned(environmentUuid: string, { table, eligible: ready }: FeedDefinition): Promise<boolean> {
    const [row] = await prepared<{ missing: boolean }>(
      this.em,
      `select exists (select from ${table} where environment_uuid = $1 and position is null and ${ready}) as missing`,
      [environmentUuid],
    );
    return row!.missing;
  }

  /** The last position given out in the environment; 0 when there is none. */
  async lastPosition(environmentUuid: string, { table }: FeedDefinition = TRANSACTION_FEED): Promise<number> {
    const [row] = await sql<{ last: string | null }>(
      this.em,
      `select max(position) as last from ${table} where environment_uuid = $1 and position is not null`,
      [environmentUuid],
    );
    return Number(row?.last ?? 0);
  }
}

/** A cursor of another environment or feed means nothing here: it is refused instead of skipping or repeating something. */
const cursorTag = (environmentUuid: string, feed: FeedDefinition): string => {
  const environment = environmentUuid.slice(-12);
  return feed === TRANSACTION_FEED ? environment : `${feed.name}:${environment}`;
};
