import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { statusSql } from '../../identities/connection-status';
import { sql } from '../../platform/database/sql';
import { type ClaimedFetch, LEASE_SECONDS } from '../scheduling/claimed-fetch';

/** A lease that ends sooner than this is renewed: two checks may be missed before it expires. */
const RENEWED_BELOW_SECONDS = LEASE_SECONDS - 5;

/** `STOPPED`: the connection was disabled or deleted. `LOST`: another worker has taken the fetch over. */
export type LeaseState = 'HELD' | 'STOPPED' | 'LOST';

/** Keeps the leases of the fetches that this worker runs. */
@Injectable()
export class FetchLeases {
  constructor(private readonly em: EntityManager) {}

  /**
   * Renews the leases and returns the state of each by its token. Rows that are locked, as by the commit of their fetch, are renewed
   * next time.
   */
  async renew(claims: readonly ClaimedFetch[]): Promise<Map<string, LeaseState>> {
    if (claims.length === 0) return new Map();
    const rows = await sql<{ token: string; state: LeaseState }>(
      this.em.fork(),
      `with given as (select * from unnest($1::uuid[], $2::uuid[]) as given (connection, token)),
       ending as (
         select c.uuid from given join connection c on c.uuid = given.connection and c.lease_token = given.token
         where c.leased_until < now() + interval '${RENEWED_BELOW_SECONDS} seconds' for update of c skip locked),
       renewed as (
         update connection c set leased_until = now() + interval '${LEASE_SECONDS} seconds'
         from ending where c.uuid = ending.uuid)
       select given.token, case when c.uuid is null or ${statusSql('c')} <> 'ACTIVE' then 'STOPPED'
         when c.lease_token = given.token then 'HELD' else 'LOST' end as state
       from given left join connection c on c.uuid = given.connection`,
      [claims.map(({ connectionUuid }) => connectionUuid), claims.map(({ leaseToken }) => leaseToken)],
    );
    return new Map(rows.map(({ token, state }) => [token, state]));
  }

  /** Queues the fetch again for another worker, because this one cannot continue. */
  async release({ uuid, connectionUuid, leaseToken }: ClaimedFetch): Promise<void> {
    await sql(
      this.em.fork(),
      `with released as (
         update connection set lease_token = null, leased_until = null,
           last_fetch = jsonb_set(last_fetch, '{status}', '"QUEUED"') where uuid = $2 and lease_token = $3 returning uuid)
       update fetch_unfinished set status = 'QUEUED' where uuid = $1 and exists (select 1 from released)`,
      [uuid, connectionUuid, leaseToken],
    );
  }
}
