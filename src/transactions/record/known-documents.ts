import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';

/** Says what a connection has already. */
@Injectable()
export class KnownDocuments {
  constructor(private readonly em: EntityManager) {}

  /** Those of the keys whose document is recorded, or was read and is a recorded one's content; with the fetch that did so. */
  find(connectionUuid: string, keys: readonly string[]): Promise<{ dedupe_key: string; fetch_uuid: string }[]> {
    return sql(
      this.em.fork(),
      `select dedupe_key, fetch_uuid from transaction where connection_uuid = $1 and dedupe_key = any($2::text[])
       union all
       select dedupe_key, fetch_uuid from read_version where connection_uuid = $1 and dedupe_key = any($2::text[])`,
      [connectionUuid, keys],
    );
  }
}
