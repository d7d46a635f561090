import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isServed } from '../identities/environments/is-served';
import { Clock } from '../platform/clock/clock';
import { sql } from '../platform/database/sql';
import { MAX_COUNTED, type BacklogRow } from '../platform/jobs/monitoring/backlog-gauge';
import { ACTIVATE_AFTER_SECONDS, KEEP_FORMER_SECONDS } from './key-schedule';

/** Counts versions of data keys of all environments that are not replaced in time, at a cost of what is late. */
@Injectable()
export class KeyBacklog {
  constructor(private readonly clock: Clock) {}

  /** Successors that could be in use; the age is that of the moment from which on they could. */
  notActivated(em: EntityManager): Promise<BacklogRow> {
    return this.late(em, 'replaced_at is null', 'created_at', ACTIVATE_AFTER_SECONDS);
  }

  /** Former versions that could be destroyed. */
  notDestroyed(em: EntityManager): Promise<BacklogRow> {
    return this.late(em, 'true', 'replaced_at', KEEP_FORMER_SECONDS);
  }

  private async late(em: EntityManager, condition: string, since: string, seconds: number): Promise<BacklogRow> {
    const [row] = await sql<BacklogRow>(
      em,
      `select count(*)::int as n, extract(epoch from $1::timestamptz - min(since)) as seconds
       from (select ${since} as since from data_key_version v where ${condition} and ${since} <= $1 and ${isServed('v.environment_uuid')}
             order by ${since} limit ${MAX_COUNTED}) late`,
      [this.clock.in(-seconds)],
    );
    return row!;
  }
}
