import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { lockServed } from '../platform/database/served-environment';
import { affected, sql } from '../platform/database/sql';
import type { KeyOwner } from './encrypted-columns';

/** Makes the successor of a data key its current version; the one that was becomes a former version. */
@Injectable()
export class ActivateSuccessor {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** False when another process has done it. */
  async activate({ ownerUuid, environmentUuid }: KeyOwner): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      await lockServed(em, environmentUuid);
      await sql(em, 'select from data_key where owner_uuid = $1 for no key update', [ownerUuid]);
      const activated = await affected(
        em,
        `with successor as (
           delete from data_key_version v using data_key k
           where v.owner_uuid = $1 and k.owner_uuid = $1 and v.replaced_at is null and v.version > k.version returning v.*),
         former as (
           insert into data_key_version
             (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at, replaced_at, due_at)
           select k.owner_uuid, k.environment_uuid, k.version, k.master_key_id, k.wrapped_key, k.created_at, $2, $2
           from data_key k join successor using (owner_uuid))
         update data_key k set version = s.version, master_key_id = s.master_key_id, wrapped_key = s.wrapped_key,
           created_at = s.created_at
         from successor s where k.owner_uuid = s.owner_uuid`,
        [ownerUuid, this.clock.now()],
      );
      return activated > 0;
    });
  }
}
