import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { KeyManager } from '../platform/crypto/key-manager';
import type { KeyOwner } from './encrypted-columns';
import { ReencryptContents } from './reencrypt-contents';
import { ReencryptRows } from './reencrypt-rows';

/** Encrypts everything of an owner with the current version of its data key: rows, and contents. */
@Injectable()
export class ReencryptEverything {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly rows: ReencryptRows,
    private readonly contents: ReencryptContents,
  ) {}

  /**
   * `begin` is called before each content. False when something is left.
   * @throws when the database, the bucket or the KMS is unavailable
   */
  async reencrypt(owner: KeyOwner, begin: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
    const key = await this.keyManager.key(this.em.fork(), owner.ownerUuid);
    const areRowsDone = await this.rows.reencrypt(owner, key, signal);
    return (await this.contents.reencrypt(owner, key, begin, signal)) && areRowsDone;
  }
}
