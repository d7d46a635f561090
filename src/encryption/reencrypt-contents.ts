import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { ReencryptContent } from '../documents/store/reencrypt-content';
import { isUnavailable } from '../platform/availability/storage-unavailable';
import type { KeyRing } from '../platform/crypto/key-ring';
import { sql } from '../platform/database/sql';
import type { KeyOwner } from './encrypted-columns';
import { EncryptionMetrics } from './encryption-metrics';

const BATCH = 20;

interface StoredContent {
  readonly uuid: string;
  readonly chunks: number;
}

/** Encrypts the contents of an owner with the current version of its data key. */
@Injectable()
export class ReencryptContents {
  private readonly logger = new Logger(ReencryptContents.name);

  constructor(
    private readonly em: EntityManager,
    private readonly content: ReencryptContent,
    private readonly metrics: EncryptionMetrics,
  ) {}

  /**
   * `begin` is called before each content. False when some are left: another process encrypts them, or they are damaged.
   * @throws when the database or the bucket is unavailable
   */
  async reencrypt(owner: KeyOwner, key: KeyRing, begin: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
    let skipped = 0;
    for (;;) {
      const contents = await this.read(owner, key.current.version, skipped);
      for (const content of contents) {
        if (signal?.aborted) return false;
        await begin();
        if (await this.reencryptOne(owner, content, key, signal)) this.metrics.countContent();
        else skipped++;
      }
      if (contents.length < BATCH) return skipped === 0;
    }
  }

  private read({ ownerUuid }: KeyOwner, version: number, skipped: number): Promise<StoredContent[]> {
    return sql(
      this.em.fork(),
      `select uuid, chunks from content where owner_uuid = $1 and key_version < $2 and chunks > 0
       order by key_version, uuid limit ${BATCH} offset $3`,
      [ownerUuid, version, skipped],
    );
  }

  private async reencryptOne(
    { environmentUuid }: KeyOwner,
    content: StoredContent,
    key: KeyRing,
    signal?: AbortSignal,
  ): Promise<boolean> {
    try {
      return await this.content.reencrypt(content, key, signal);
    } catch (error) {
      if (signal?.aborted || isUnavailable(error)) throw error;
      this.metrics.countFailure('content');
      this.logger.error(
        { environment_uuid: environmentUuid, content_uuid: content.uuid, error: String(error) },
        'A content cannot be encrypted again, and keeps its former data key from being destroyed',
      );
      return false;
    }
  }
}
