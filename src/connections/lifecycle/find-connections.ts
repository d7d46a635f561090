import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import { type ConnectionStatus, statusSql } from '../../identities/connection-status';
import { Connection } from '../state/connection.entity';

export interface ConnectionFilter {
  readonly environmentUuid: string;
  readonly identityUuid: string | null;
  readonly integrationId: string | null;
  readonly status: ConnectionStatus | null;
  /** Exclusive lower bound of the uuid. */
  readonly after: string | null;
  readonly limit: number;
}

/** Finds connections of any environment, oldest first, or a single one. For the support team (decisions 7). */
@Injectable()
export class FindConnections {
  constructor(private readonly em: EntityManager) {}

  /** @throws Error if the connection does not exist */
  async find(which: string | ConnectionFilter): Promise<Connection[]> {
    const em = this.em.fork();
    const uuids = typeof which === 'string' ? [which] : await this.findUuids(em, which);
    const found = await em.find(Connection, { uuid: { $in: uuids } }, { orderBy: { uuid: 'asc' } });
    if (typeof which === 'string' && found.length === 0) throw new Error(`There is no connection ${which}.`);
    return found;
  }

  private async findUuids(em: EntityManager, filter: ConnectionFilter): Promise<string[]> {
    const { environmentUuid, identityUuid, integrationId, status, after, limit } = filter;
    const rows = await sql<{ uuid: string }>(
      em,
      `select c.uuid from connection c
       where c.environment_uuid = $1 and ($2::uuid is null or c.identity_uuid = $2)
         and ($3::text is null or c.integration_id = $3) and ($4::text is null or ${statusSql('c')} = $4)
         and ($5::uuid is null or c.uuid > $5)
       order by c.uuid limit $6`,
      [environmentUuid, identityUuid, integrationId, status, after, limit],
    );
    return rows.map(({ uuid }) => uuid);
  }
}
