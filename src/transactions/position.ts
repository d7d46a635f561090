import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { affected, prepared, sql } from '../platform/database/sql';

const BATCH = 5_000;

/**
 * The polling feed's order (contract 5). A transaction gets its position after its commit, when somebody polls: under a
 * lock per environment that is held until the positions are visible. So a visible position has no unseen one before it,
 * however out of order the writers committed, and writers never wait for each other.
 */
@Injectable()
export class Positions {
  constructor(private readonly em: EntityManager) {}

  /** Gives every committed transaction of the environment its place. */
  async assign(environmentUuid: string): Promise<void> {
    while (await this.isMissing(environmentUuid)) {
      const placed = await this.em.fork().transactional(async (em) => {
        await sql(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`feed:${environmentUuid}`]);
        return affected(
          em,
          `update transaction t set position = placed.position
           from (select uuid, nextval('transaction_position_seq') as position
                 from (select uuid from transaction where environment_uuid = $1 and position is null
                       order by uuid limit ${BATCH} for update) waiting) placed
           where t.uuid = placed.uuid`,
          [environmentUuid],
        );
      });
      if (placed < BATCH) return;
    }
  }

  /** Whoever is placing them at this moment has not committed yet: they are still missing, and the lock makes us wait. */
  private async isMissing(environmentUuid: string): Promise<boolean> {
    const [row] = await prepared<{ missing: boolean }>(
      this.em,
      'select exists (select from transaction where environment_uuid = $1 and position is null) as missing',
      [environmentUuid],
    );
    return row!.missing;
  }

  /** The last position given out in the environment; 0 when there is none. */
  async last(environmentUuid: string): Promise<number> {
    const [row] = await sql<{ last: string | null }>(
      this.em,
      'select max(position) as last from transaction where environment_uuid = $1 and position is not null',
      [environmentUuid],
    );
    return Number(row?.last ?? 0);
  }
}
