import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { WeightedSemaphore } from '../../platform/concurrency/weighted-semaphore';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import type { Bucket } from '../../platform/storage/bucket';
import { objectOf, objectsOf } from './bucket-chunks';
import { CONTENT_BUCKET } from './content-bucket';

/** Contents that are taken at a time. Nobody else takes them for so long. */
const BATCH = 50;
const LEASE_SECONDS = 300;
/** Requests under way at the same time. */
const AT_ONCE = 32;

interface Removal {
  readonly uuid: string;
  /** 0: it never arrived whole, so how many there are is not known. */
  readonly chunks: number;
}

/** Deletes from the bucket what deleted contents have left there. Any number of instances may do so at the same time. */
@Injectable()
export class RemoveObjects {
  private readonly slots = new WeightedSemaphore(AT_ONCE);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null,
  ) {}

  /**
   * Batch by batch, until nothing is due. Answers of how many contents it removed the objects. One that cannot be removed keeps back no other.
   * @throws StorageUnavailable
   */
  @Recurring({ everyMs: 10_000, failure: 'Objects could not be removed' })
  async run(signal?: AbortSignal): Promise<number> {
    const { bucket } = this;
    if (!bucket) return 0;
    let total = 0;
    for (let taken = BATCH; taken === BATCH && !signal?.aborted;) {
      const removals = await this.take(bucket.location);
      const removed = await allOf(removals.map((removal) => this.remove(bucket, removal, signal)));
      taken = removals.length;
      total += removed.filter(Boolean).length;
    }
    return total;
  }

  /** False when something may be left, which is looked for again when the lease has ended. */
  private async remove(bucket: Bucket, { uuid, chunks }: Removal, signal?: AbortSignal): Promise<boolean> {
    const keys =
      chunks > 0
        ? Array.from({ length: chunks }, (_, index) => objectOf(uuid, index))
        : await bucket.list(objectsOf(uuid));
    const failures: unknown[] = [];
    const requests: Promise<void>[] = [];
    for (const key of keys) {
      const done = await this.slots.acquire(1);
      const request = signal?.aborted ? Promise.resolve() : bucket.delete(key);
      requests.push(request.catch((error: unknown) => void failures.push(error)).finally(done));
    }
    await Promise.all(requests);
    if (failures.length > 0) throw failures[0];
    // There may be more than a listing tells.
    if (signal?.aborted || (chunks === 0 && (await bucket.list(objectsOf(uuid))).length > 0)) return false;
    await sql(this.em.fork(), 'delete from content_removal where content_uuid = $1', [uuid]);
    return true;
  }

  private take(location: string): Promise<Removal[]> {
    return sql(
      this.em.fork(),
      `update content_removal set due_at = $3 where content_uuid in (
         select content_uuid from content_removal where location = $1 and due_at <= $2 order by due_at limit ${BATCH}
         for update skip locked)
       returning content_uuid as uuid, chunks`,
      [location, this.clock.now(), this.clock.in(LEASE_SECONDS)],
    );
  }
}

/** What all of them answer, when all have ended; throws what the first one has thrown that failed. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
