import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { NIL } from 'uuid';
import { KeyManager } from '../../platform/crypto/key-manager';
import { jsonFrame } from '../file/frames';
import type { KeyFrame } from '../file/header';

const BATCH = 500;
const OWNERS = `
  select owner_uuid, created_at::text from data_key where environment_uuid = $1 and owner_uuid > $2 order by owner_uuid limit ${BATCH}`;

/** The data keys of an environment, unwrapped. */
@Injectable()
export class ReadKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
  ) {}

  /** @throws Error when one cannot be unwrapped: what it encrypts would be lost at the target */
  async *read(client: Client, environmentUuid: string, progress: () => void): AsyncGenerator<Buffer, void> {
    for (let after: string = NIL; ;) {
      const { rows } = await client.query<{ owner_uuid: string; created_at: string }>(OWNERS, [environmentUuid, after]);
      const em = this.em.fork();
      const keys = await this.keyManager.keys(
        em,
        rows.map(({ owner_uuid }) => owner_uuid),
      );
      const unwrapped: KeyFrame[] = [];
      for (const { owner_uuid, created_at } of rows) {
        const key = keys.get(owner_uuid) ?? (await this.keyManager.key(em, owner_uuid));
        unwrapped.push({ owner_uuid, created_at, key: key.toString('base64') });
        progress();
      }
      if (rows.length > 0) yield jsonFrame('K', unwrapped);
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.owner_uuid;
    }
  }
}
