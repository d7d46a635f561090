import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock';
import { Settings } from '../../platform/config';
import { sql } from '../../platform/database/sql';
import { oneAtATime } from '../../platform/jobs/one-at-a-time';
import type { Bucket } from '../../platform/s3/bucket';
import { objectOf, objectsOf } from './bucket-chunks';
import { CONTENT_BUCKET } from './content-bucket';

/** Contents that are taken at a time. Nobody else takes them for so long. */
const BATCH = 50;
const LEASE_SECONDS = 300;
/** Most are a single object; of those that are many, some of each. */
const CONTENTS_AT_ONCE = 8;
const OBJECTS_AT_ONCE = 4;

interface Removal {
  readonly uuid: string;
  /** 0: it never arrived whole, so how many there are is not known. */
  readonly chunks: number;
}

/** Deletes from the bucket what deleted contents have left there. Any number of instances may do so at the same time. */
@Injectable()
export class RemoveObjects implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RemoveObjects.name);
  private readonly removeOnce = oneAtATime(() => this.run(), this.logger, 'Objects could not be removed');
  private closing = false;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
    @Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null,
  ) {}

  @Interval(10_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker && this.bucket) await this.removeOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    return this.removeOnce.close();
  }

  /**
   * Batch by batch, until nothing is due. Answers of how many contents it removed the objects. One that cannot be removed keeps back no other.
   * @throws StorageIsAway
   */
  async run(): Promise<number> {
    const { bucket } = this;
    if (!bucket) return 0;
    let total = 0;
    for (let taken = BATCH; taken === BATCH && !this.closing;) {
      const removals = await this.take(bucket.location);
      const failures: unknown[] = [];
      await inLanes(removals, CONTENTS_AT_ONCE, async (removal) => {
        if (this.closing) return;
        await this.remove(bucket, removal).then(
          () => total++,
          (error: unknown) => failures.push(error),
        );
      });
      if (failures.length > 0) throw failures[0];
      taken = removals.length;
    }
    return total;
  }

  private async remove(bucket: Bucket, { uuid, chunks }: Removal): Promise<void> {
    const keys =
      chunks > 0
        ? Array.from({ length: chunks }, (_, index) => objectOf(uuid, index))
        : await bucket.list(objectsOf(uuid));
    await inLanes(keys, OBJECTS_AT_ONCE, (key) => bucket.delete(key));
    // There may be more than a listing tells: what is left is looked for again when the lease has ended.
    if (chunks === 0 && (await bucket.list(objectsOf(uuid))).length > 0) return;
    await sql(this.em.fork(), 'delete from content_removal where content_uuid = $1', [uuid]);
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

async function inLanes<Item>(items: readonly Item[], lanes: number, work: (item: Item) => Promise<unknown>) {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
