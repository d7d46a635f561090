import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { NIL } from 'uuid';
import { Audit } from '../platform/audit/audit';
import { Clock } from '../platform/clock/clock';
import { KeyManager } from '../platform/crypto/key-manager';
import { affected, sql } from '../platform/database/sql';
import { lockServed } from '../platform/database/served-environment';
import { isServed } from '../identities/environments/is-served';
import { ACTIVATE_AFTER_SECONDS } from './key-schedule';

const BATCH = 200;

export interface RequestedReplacement {
  readonly environments: number;
  readonly dataKeys: number;
}

/**
 * Creates successors of data keys, which the workers then bring into use (`ReplaceKeys`). Can be interrupted and repeated: a key
 * whose successor is not in use yet gets no other one.
 */
@Injectable()
export class ReplaceDataKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Of one environment, or of all that are not being moved. @throws Error when the environment is not served here; KmsUnavailable */
  async request(
    actor: string,
    environmentUuid: string | null,
    progress: (dataKeys: number) => void = () => undefined,
  ): Promise<RequestedReplacement> {
    const environments = await sql<{ uuid: string }>(
      this.em.fork(),
      `select uuid from environment e where ($1::uuid is null or uuid = $1) and ${isServed('e.uuid')} order by uuid`,
      [environmentUuid],
    );
    if (environmentUuid !== null && environments.length === 0) {
      throw new Error(`There is no environment ${environmentUuid}, or it is being moved.`);
    }
    let dataKeys = 0;
    for (const { uuid } of environments) {
      const created = await this.createSuccessors(uuid, (count) => progress(dataKeys + count));
      dataKeys += created;
      if (created > 0) await this.log(actor, uuid, created);
    }
    return { environments: environments.length, dataKeys };
  }

  private async createSuccessors(environmentUuid: string, progress: (count: number) => void): Promise<number> {
    let total = 0;
    for (let after: string = NIL; ;) {
      const owners = await sql<{ owner_uuid: string; version: number }>(
        this.em.fork(),
        `select owner_uuid, version from data_key k where environment_uuid = $1 and owner_uuid > $2 and not exists (
           select from data_key_version v where v.owner_uuid = k.owner_uuid and v.environment_uuid = k.environment_uuid and v.version > k.version)
         order by owner_uuid limit ${BATCH}`,
        [environmentUuid, after],
      );
      if (owners.length === 0) return total;
      after = owners.at(-1)!.owner_uuid;
      total += await this.insert(environmentUuid, owners);
      progress(total);
    }
  }

  private async insert(
    environmentUuid: string,
    owners: readonly { readonly owner_uuid: string; readonly version: number }[],
  ): Promise<number> {
    // Before the transaction: a slow KMS must not hold it.
    const wrapped = await Promise.all(
      owners.map(({ owner_uuid, version }) =>
        this.keyManager.wrap({ version: version + 1, key: randomBytes(32) }, owner_uuid),
      ),
    );
    return this.em.fork().transactional(async (em) => {
      await lockServed(em, environmentUuid);
      return affected(
        em,
        `insert into data_key_version (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at, due_at)
         select k.owner_uuid, k.environment_uuid, k.version + 1, given.master_key_id, given.wrapped_key, $1, $2
         from unnest($3::uuid[], $4::integer[], $5::text[], $6::bytea[]) as given (owner_uuid, version, master_key_id, wrapped_key)
         join data_key k on k.owner_uuid = given.owner_uuid and k.version = given.version
         on conflict do nothing`,
        [
          this.clock.now(),
          this.clock.in(ACTIVATE_AFTER_SECONDS),
          owners.map(({ owner_uuid }) => owner_uuid),
          owners.map(({ version }) => version),
          wrapped.map(({ masterKeyId }) => masterKeyId),
          wrapped.map(({ wrappedKey }) => wrappedKey),
        ],
      );
    });
  }

  private log(actor: string, environmentUuid: string, dataKeys: number): Promise<void> {
    return this.em.fork().transactional((em) =>
      this.audit.insert(em, {
        environmentUuid,
        actor,
        action: 'encryption.replace-data-keys',
        subjectUuid: environmentUuid,
        details: { data_keys: dataKeys },
      }),
    );
  }
}
