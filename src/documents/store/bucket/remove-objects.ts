import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { WeightedSemaphore } from '../../../platform/concurrency/weighted-semaphore';
import { Clock } from '../../../platform/clock/clock';
import { sql } from '../../../platform/database/sql';
import { Recurring } from '../../../platform/jobs/recurring-work';
import type { Bucket } from '../../../platform/storage/bucket';
import { objectOf, objectsOf, tailOf } from './bucket-chunks';
import { CONTENT_BUCKET } from './content-bucket';

/** Contents per batch, and how long a batch is reserved for this instance. */
const BATCH = 50;
const LEASE_SECONDS = 300;
/** Concurrent requests. */
const MAX_CONCURRENT_DELETES = 32;

interface Removal {
  readonly uuid: string;
  /** 0: the content was never completed, so the number of chunks is unknown. */
  readonly chunks: number;
  /** Its further chunks are one object; null: each chunk is one. */
  readonly tail_from: number | null;
}

/** Deletes the objects of deleted contents from the bucket. Several instances may run concurrently. */
@Injectable()
export class RemoveObjects {
  private readonly slots = new WeightedSemaphore(MAX_CONCURRENT_DELETES);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null,
  ) {}

  /**
   * Works in batches until nothing is due. Returns the number of contents whose objects were deleted. A failure does not prevent other deletions.
   * @throws StorageUnavailable
   */
  @Recurring({ everyMs: 10_000, failure: 'Objects could not be deleted' })
  async removeDue(signal?: AbortSignal): Promise<number> {
    const { bucket } = this;
    if (!bucket) return 0;
    let total = 0;
    for (let batchSize = BATCH; batchSize === BATCH && !signal?.aborted;) {
      const removals = await this.take(bucket.location);
      const removed = await allOf(removals.map((removal) => this.remove(bucket, removal, signal)));
      batchSize = removals.length;
      total += removed.filter(Boolean).length;
    }
    return total;
  }

  /** False when objects may be left, which are retried after the lease has expired. */
  private async remove(bucket: Bucket, removal: Removal, signal?: AbortSignal): Promise<boolean> {
    const { uuid, chunks, tail_from } = removal;
    const keys = chunks > 0 ? keysOf(removal) : await bucket.list(objectsOf(uuid));
    const isAborted = () => signal?.aborted ?? false;
    await allOf(keys.map((key) => this.slots.run(() => (isAborted() ? Promise.resolve() : bucket.delete(key)))));
    // Uploads that a process has left when it was killed; the import of an environment may have repeated a complete one.
    if (!isAborted() && (chunks === 0 || tail_from !== null)) await bucket.uploads.abortAll(tailOf(uuid));
    // A listing may be incomplete.
    if (isAborted() || (chunks === 0 && (await bucket.list(objectsOf(uuid))).length > 0)) return false;
    await sql(this.em.fork(), 'delete from object_deletion_queue where content_uuid = $1', [uuid]);
    return true;
  }

  private take(location: string): Promise<Removal[]> {
    return sql(
      this.em.fork(),
      `update object_deletion_queue set due_at = $3 where content_uuid in (
         select content_uuid from object_deletion_queue where location = $1 and due_at <= $2 order by due_at limit ${BATCH}
         for update skip locked)
       returning content_uuid as uuid, chunks, tail_from`,
      [location, this.clock.now(), this.clock.in(LEASE_SECONDS)],
    );
  }
}

function keysOf({ uuid, chunks, tail_from }: Removal): string[] {
  const own = Array.from({ length: tail_from ?? chunks }, (_, index) => objectOf(uuid, index));
  return tail_from === null ? own : [...own, tailOf(uuid)];
}

/** The results of all, after all have settled; throws the first error. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
