import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v4 as randomUuid } from 'uuid';
import { statusSql } from '../../identities/connection-status';
import { Connection } from '../../connections/state/connection.entity';
import { sql } from '../../platform/database/sql';
import { Clock } from '../../platform/clock/clock';
import { Fetch } from '../history/fetch.entity';

/** A fetch that this worker runs while its lease token is in the row. */
export interface ClaimedFetch {
  readonly fetch: Fetch;
  readonly connection: Connection;
  readonly leaseToken: string;
  /** An earlier worker has died while running it. */
  readonly resumed: boolean;
}

/** Grants one worker the right to run a fetch. */
@Injectable()
export class FetchLeases {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims the next fetch of a connection: one that a dead worker left behind, else the oldest queued one. Null when there is none.
   * Cancels the fetches of a connection that is no longer active.
   */
  async claim(connectionUuid: string): Promise<ClaimedFetch | null> {
    return this.em.fork().transactional(async (em) => {
      const connection = await em.findOne(Connection, connectionUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!connection) return null;
      const open = { connectionUuid, status: { $in: ['QUEUED', 'RUNNING'] as const } };
      const now = this.clock.now();
      if (!connection.isActive) {
        for (const fetch of await em.find(Fetch, open)) {
          fetch.finish('CANCELLED', now, 'CONNECTION_NOT_ACTIVE');
          connection.lastFetch = fetch.summary;
        }
        return null;
      }
      const fetch = await em.findOne(Fetch, open, { orderBy: [{ status: 'desc' }, { uuid: 'asc' }] });
      if (!fetch) return null;
      const resumed = fetch.startedAt != null;
      fetch.status = 'RUNNING';
      fetch.startedAt ??= now;
      fetch.leaseToken = randomUuid();
      connection.lastFetch = fetch.summary;
      return { fetch, connection, leaseToken: fetch.leaseToken, resumed };
    });
  }

  /** Whether the lease is still held: the connection may have been disabled or deleted, or another worker may have taken the fetch. */
  async check({ fetch, leaseToken }: ClaimedFetch): Promise<'HELD' | 'STOPPED' | 'LOST'> {
    const [row] = await sql<{ state: 'HELD' | 'STOPPED' | 'LOST' }>(
      this.em.fork(),
      `select case when ${statusSql('c')} <> 'ACTIVE' then 'STOPPED' when f.lease_token = $2 then 'HELD' else 'LOST' end as state
       from "fetch" f join connection c on c.uuid = f.connection_uuid where f.uuid = $1`,
      [fetch.uuid, leaseToken],
    );
    return row?.state ?? 'STOPPED';
  }

  /** Queues the fetch again for another worker, because this one shuts down. */
  async release(claim: ClaimedFetch): Promise<void> {
    await this.em
      .fork()
      .nativeUpdate(
        Fetch,
        { uuid: claim.fetch.uuid, leaseToken: claim.leaseToken },
        { status: 'QUEUED', leaseToken: null },
      );
  }
}
