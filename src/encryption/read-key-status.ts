import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { dateOrNull, sql } from '../platform/database/sql';

/** The data keys of an environment. */
export interface KeyStatus {
  readonly environmentUuid: string;
  readonly dataKeys: number;
  /** Successors that do not encrypt yet. */
  readonly waiting: number;
  /** Former versions that still exist. */
  readonly former: number;
  /** Contents that former versions have encrypted. */
  readonly contentsLeft: number;
  readonly oldestReplacedAt: Date | null;
}

/** Says how far the replacement of data keys is. */
@Injectable()
export class ReadKeyStatus {
  constructor(private readonly em: EntityManager) {}

  async read(): Promise<KeyStatus[]> {
    const rows = await sql<Omit<KeyStatus, 'oldestReplacedAt'> & { readonly oldest: string | null }>(
      this.em.fork(),
      `select k.environment_uuid as "environmentUuid", count(*)::int as "dataKeys",
         coalesce(sum(v.waiting), 0)::int as waiting, coalesce(sum(v.former), 0)::int as former, min(v.oldest) as oldest,
         coalesce(sum((select count(*) from content c where v.former > 0 and c.owner_uuid = k.owner_uuid
           and c.key_version < k.version)), 0)::int as "contentsLeft"
       from data_key k left join (
         select owner_uuid, count(*) filter (where replaced_at is null) as waiting,
           count(*) filter (where replaced_at is not null) as former, min(replaced_at) as oldest
         from data_key_version group by 1) v using (owner_uuid)
       group by 1 order by 1`,
    );
    return rows.map(({ oldest, ...row }) => ({ ...row, oldestReplacedAt: dateOrNull(oldest) }));
  }
}
