import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { ReencryptContent } from '../documents/store/reencrypt-content';
import { isServed } from '../identities/environments/is-served';
import { isUnavailable } from '../platform/availability/storage-unavailable';
import { Clock } from '../platform/clock/clock';
import { KeyManager } from '../platform/crypto/key-manager';
import type { KeyRing } from '../platform/crypto/key-ring';
import { sql } from '../platform/database/sql';
import { Recurring } from '../platform/jobs/recurring-work';
import type { KeyOwner } from './encrypted-columns';
import { EncryptionMetrics } from './encryption-metrics';
import { KEEP_FORMER_SECONDS, RETRY_SECONDS } from './key-schedule';
import { ReplacementSteps } from './replacement-steps';

/** For this long nobody else takes over a step that was begun. It is renewed with every content. */
const LEASE_SECONDS = 300;
const CONTENTS = 20;

interface DueVersion extends KeyOwner {
  readonly version: number;
  readonly isFormer: boolean;
}

/**
 * Brings successors of data keys into use, encrypts with them what the former versions have encrypted, and destroys these. Each step is
 * committed by itself, so it continues where a process has ended; several workers may run it.
 */
@Injectable()
export class ReplaceKeys {
  private readonly logger = new Logger(ReplaceKeys.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly keyManager: KeyManager,
    private readonly contents: ReencryptContent,
    private readonly steps: ReplacementSteps,
    private readonly metrics: EncryptionMetrics,
  ) {}

  /** Works until nothing is due. Returns the number of steps. @throws when the database, the bucket or the KMS is unavailable */
  @Recurring({ everyMs: 10_000, failure: 'Data keys could not be replaced' })
  async replaceDue(signal?: AbortSignal): Promise<number> {
    let steps = 0;
    for (; !signal?.aborted; steps++) {
      const due = await this.claim();
      if (!due) break;
      try {
        await this.replace(due, signal);
      } catch (error) {
        if (signal?.aborted) break;
        if (isUnavailable(error)) throw error;
        const fields = { environment_uuid: due.environmentUuid, owner_uuid: due.ownerUuid, version: due.version };
        this.logger.error({ ...fields, error: String(error) }, 'A data key could not be replaced, and is tried again');
      }
    }
    return steps;
  }

  private async replace(due: DueVersion, signal?: AbortSignal): Promise<void> {
    if (!due.isFormer) {
      await this.steps.activate.activate(due);
      return;
    }
    const key = await this.keyManager.key(this.em.fork(), due.ownerUuid);
    const rows = await this.steps.rows.reencrypt(due, key, signal);
    this.metrics.countRows(rows.replaced);
    const isComplete = (await this.reencryptContents(due, key, signal)) && rows.left === 0;
    if (signal?.aborted) return;
    if (await this.steps.destroy.destroy(due, due.version)) {
      this.metrics.countDestroyed();
      return;
    }
    await this.postpone(due, isComplete);
  }

  /** False when some are left, for example those that another process encrypts. */
  private async reencryptContents(due: DueVersion, key: KeyRing, signal?: AbortSignal): Promise<boolean> {
    let skipped = 0;
    for (;;) {
      const contents = await sql<{ uuid: string; chunks: number }>(
        this.em.fork(),
        `select uuid, chunks from content where owner_uuid = $1 and key_version < $2 and chunks > 0
         order by key_version, uuid limit ${CONTENTS} offset $3`,
        [due.ownerUuid, key.current.version, skipped],
      );
      for (const content of contents) {
        if (signal?.aborted) return false;
        await this.lease(due, LEASE_SECONDS);
        if (await this.reencryptContent(due, content, key, signal)) this.metrics.countContent();
        else skipped++;
      }
      if (contents.length < CONTENTS) return skipped === 0;
    }
  }

  private async reencryptContent(
    due: DueVersion,
    content: { readonly uuid: string; readonly chunks: number },
    key: KeyRing,
    signal?: AbortSignal,
  ): Promise<boolean> {
    try {
      return await this.contents.reencrypt(content, key, signal);
    } catch (error) {
      if (signal?.aborted || isUnavailable(error)) throw error;
      const fields = { environment_uuid: due.environmentUuid, content_uuid: content.uuid, error: String(error) };
      this.logger.error(
        fields,
        'A content cannot be encrypted again, and keeps its former data key from being destroyed',
      );
      return false;
    }
  }

  /** The oldest due step, for this process. */
  private async claim(): Promise<DueVersion | null> {
    const [due] = await sql<DueVersion>(
      this.em.fork(),
      `update data_key_version set due_at = $2 where (owner_uuid, version, environment_uuid) in (
         select owner_uuid, version, environment_uuid from data_key_version v
         where due_at <= $1 and ${isServed('v.environment_uuid')} order by due_at limit 1 for update skip locked)
       returning owner_uuid as "ownerUuid", environment_uuid as "environmentUuid", version, replaced_at is not null as "isFormer"`,
      [this.clock.now(), this.clock.in(LEASE_SECONDS)],
    );
    return due ?? null;
  }

  /** Until it may be destroyed, when nothing is left; shortly otherwise. */
  private async postpone(due: DueVersion, isComplete: boolean): Promise<void> {
    await sql(
      this.em.fork(),
      `update data_key_version set due_at = case when $3 then greatest($4, replaced_at + make_interval(secs => ${KEEP_FORMER_SECONDS})) else $4 end
       where owner_uuid = $1 and version = $2`,
      [due.ownerUuid, due.version, isComplete, this.clock.in(RETRY_SECONDS)],
    );
  }

  private async lease({ ownerUuid, version }: DueVersion, seconds: number): Promise<void> {
    await sql(this.em.fork(), 'update data_key_version set due_at = $3 where owner_uuid = $1 and version = $2', [
      ownerUuid,
      version,
      this.clock.in(seconds),
    ]);
  }
}
