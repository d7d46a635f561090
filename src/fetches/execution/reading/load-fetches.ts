import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Connection } from '../../../connections/state/connection.entity';
import { type ConnectionStatus, statusSql } from '../../../identities/connection-status';
import { Environment } from '../../../identities/environments/environment.entity';
import { Encrypted } from '../../../platform/crypto/encrypted';
import { KeyManager } from '../../../platform/crypto/key-manager';
import type { KeyRing } from '../../../platform/crypto/key-ring';
import { prepared } from '../../../platform/database/sql';
import type { ClaimedFetch } from '../../scheduling/claimed-fetch';
import { FetchLeases } from '../fetch-leases';

/** What a fetch reads of its connection. */
export type FetchedConnection = Readonly<
  Pick<
    Connection,
    | 'uuid'
    | 'identityUuid'
    | 'integrationId'
    | 'settings'
    | 'secrets'
    | 'step2'
    | 'trustedFingerprints'
    | 'accountId'
    | 'cursor'
    | 'startdate'
  >
> & {
  readonly status: ConnectionStatus;
  /** Documents that earlier fetches could not download are to be retried. */
  readonly hasRetries: boolean;
};

/** A claimed fetch with what its session needs. */
export interface LoadedFetch {
  readonly claim: ClaimedFetch;
  readonly connection: FetchedConnection;
  readonly environment: Environment;
  /** Undefined when it cannot be unwrapped: `KeyManager.key` throws the reason. */
  readonly dataKey: KeyRing | undefined;
}

const READ = `
  select c.uuid, c.identity_uuid as "identityUuid", c.integration_id as "integrationId", c.settings, c.secrets, c.step2,
    c.trusted_fingerprints as "trustedFingerprints", c.account_id as "accountId", c.cursor, c.startdate::text, ${statusSql('c')} as status,
    exists (
      select 1 from fetch_failure f where f.connection_uuid = c.uuid and f.environment_uuid = c.environment_uuid and f.open) as "hasRetries"
  from connection c where c.uuid = any($1::uuid[])`;

/** Reads what the sessions of several claimed fetches need, in one statement for each kind of row. */
@Injectable()
export class LoadFetches {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly leases: FetchLeases,
  ) {}

  /**
   * Without those whose connection was deleted in the meantime. When they cannot be read, all are given back: nobody would run them
   * until their leases end.
   */
  async load(claims: readonly ClaimedFetch[]): Promise<LoadedFetch[]> {
    if (claims.length === 0) return [];
    try {
      return await this.read(claims);
    } catch (error) {
      await Promise.allSettled(claims.map((claim) => this.leases.release(claim)));
      throw error;
    }
  }

  private async read(claims: readonly ClaimedFetch[]): Promise<LoadedFetch[]> {
    const em = this.em.fork();
    const uuids = claims.map(({ connectionUuid }) => connectionUuid);
    const [connections, environments, dataKeys] = await Promise.all([
      prepared<FetchedConnection & { readonly secrets: Buffer | null }>(em, READ, [uuids]),
      em.find(Environment, { uuid: { $in: [...new Set(claims.map(({ environmentUuid }) => environmentUuid))] } }),
      this.keyManager.keys(em, uuids),
    ]);
    const connectionOf = new Map(connections.map((row) => [row.uuid, row]));
    const environmentOf = new Map(environments.map((environment) => [environment.uuid, environment]));
    return claims.flatMap((claim) => {
      const row = connectionOf.get(claim.connectionUuid);
      const environment = environmentOf.get(claim.environmentUuid);
      if (!row || !environment) return [];
      const connection = { ...row, secrets: row.secrets && new Encrypted(row.secrets) };
      return [{ claim, connection, environment, dataKey: dataKeys.get(row.uuid) }];
    });
  }
}
