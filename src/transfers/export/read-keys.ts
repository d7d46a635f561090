import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { NIL } from 'uuid';
import { KeyManager } from '../../platform/crypto/key-manager';
import { jsonFrame } from '../file/frames';
import type { KeyFrame, OtherVersion } from '../file/header';

const BATCH = 500;
const OWNERS = `
  select k.owner_uuid, k.created_at::text, o.others
  from data_key k cross join lateral (
    select coalesce(json_agg(json_build_object('version', v.version, 'created_at', v.created_at::text, 'replaced_at', v.replaced_at::text)
      order by v.version), '[]') as others
    from data_key_version v where v.owner_uuid = k.owner_uuid and v.environment_uuid = k.environment_uuid) o
  where k.environment_uuid = $1 and k.owner_uuid > $2 order by k.owner_uuid limit ${BATCH}`;

interface OwnerRow {
  readonly owner_uuid: string;
  readonly created_at: string;
  readonly others: readonly Omit<OtherVersion, 'key'>[];
}

/** The data keys of an environment in all their versions, unwrapped. */
@Injectable()
export class ReadKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
  ) {}

  /** @throws Error when one cannot be unwrapped: what it encrypts would be lost at the target */
  async *read(client: Client, environmentUuid: string, progress: () => void): AsyncGenerator<Buffer, void> {
    for (let after: string = NIL; ;) {
      const { rows } = await client.query<OwnerRow>(OWNERS, [environmentUuid, after]);
      const em = this.em.fork();
      const keys = await this.keyManager.keys(
        em,
        rows.map(({ owner_uuid }) => owner_uuid),
      );
      const unwrapped: KeyFrame[] = [];
      for (const { owner_uuid, created_at, others } of rows) {
        const ring = keys.get(owner_uuid) ?? (await this.keyManager.key(em, owner_uuid));
        const { version, key } = ring.current;
        const keyOf = new Map(ring.others.map((other) => [other.version, other.key.toString('base64')]));
        unwrapped.push({
          ...{ owner_uuid, created_at, version, key: key.toString('base64') },
          others: others.map((other) => ({ ...other, key: keyOf.get(other.version)! })),
        });
        progress();
      }
      if (rows.length > 0) yield jsonFrame('K', unwrapped);
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.owner_uuid;
    }
  }
}
