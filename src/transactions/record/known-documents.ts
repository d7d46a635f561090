import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';

/** Finds the documents that a connection already has. */
@Injectable()
export class KnownDocuments {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns the given keys whose document is recorded, or was read and found to have the content of a recorded one,
   * each with its fetch.
   */
  find(connectionUuid: string, keys: readonly string[]): Promise<{ dedupe_key: string; fetch_uuid: string }[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return sql(
      this.em.fork(),
      `select dedupe_key, fetch_uuid from transaction where connection_uuid = $1 and dedupe_key = any($2::text[])
       union all
       select dedupe_key, fetch_uuid from seen_version where connection_uuid = $1 and dedupe_key = any($2::text[])`,
      [connectionUuid, keys],
    );
  }
}
