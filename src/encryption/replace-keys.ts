import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { isServed } from '../identities/environments/is-served';
import { isUnavailable } from '../platform/availability/storage-unavailable';
import { Clock } from '../platform/clock/clock';
import { sql } from '../platform/database/sql';
import { isEnvironmentFenced } from '../platform/errors/environment-fence';
import { Recurring } from '../platform/jobs/recurring-work';
import { ActivateSuccessor } from './activate-successor';
import { DestroyFormerKey } from './destroy-former-key';
import type { KeyOwner } from './encrypted-columns';
import { EncryptionMetrics } from './encryption-metrics';
import { KEEP_FORMER_SECONDS, RETRY_SECONDS } from './key-schedule';
import { ReencryptEverything } from './reencrypt-everything';

/** For this long nobody else takes over a step that was begun. It is renewed with every content. */
const LEASE_SECONDS = 300;

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
    private readonly successor: ActivateSuccessor,
    private readonly everything: ReencryptEverything,
    private readonly former: DestroyFormerKey,
    private readonly metrics: EncryptionMetrics,
  ) {}

  /** Works until nothing is due. Returns the number of steps. @throws when the database, the bucket or the KMS is unavailable */
  @Recurring({ everyMs: 10_000, atStart: true, failure: 'Data keys could not be replaced' })
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
        if (isEnvironmentFenced(error)) continue;
        this.metrics.countFailure('key');
        const fields = { environment_uuid: due.environmentUuid, owner_uuid: due.ownerUuid, version: due.version };
        this.logger.error({ ...fields, error: String(error) }, 'A data key could not be replaced, and is tried again');
      }
    }
    return steps;
  }

  private async replace(due: DueVersion, signal?: AbortSignal): Promise<void> {
    if (!due.isFormer) {
      await this.successor.activate(due);
      return;
    }
    const isComplete = await this.everything.reencrypt(due, () => this.renewLease(due), signal);
    if (signal?.aborted || (await this.former.destroy(due, due.version))) return;
    await this.postpone(due, isComplete);
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

  private async renewLease({ ownerUuid, version }: DueVersion): Promise<void> {
    await sql(this.em.fork(), 'update data_key_version set due_at = $3 where owner_uuid = $1 and version = $2', [
      ownerUuid,
      version,
      this.clock.in(LEASE_SECONDS),
    ]);
  }
}
