import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONTENT_BUCKET } from '../../documents/store/bucket/content-bucket';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { lockExclusively } from '../../platform/database/served-environment';
import { sql } from '../../platform/database/sql';
import { withClient } from '../../platform/database/with-client';
import { createPastPartitions } from '../../platform/history/create-past-partitions';
import type { Bucket } from '../../platform/storage/bucket';
import { FORMAT, type Header } from '../file/header';
import { executedMigrations } from '../table-columns';
import { lockTransferState, TransferError } from '../transfer';

/** Whether an export can be imported here, and whether that has been done. */
@Injectable()
export class BeginImport {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
    @Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null,
  ) {}

  /** Records the transfer. Returns false when an earlier import of it is complete. @throws TransferError when it cannot be imported here */
  async begin(header: Header): Promise<boolean> {
    await this.assertFits(header);
    const isNew = await this.em.fork().transactional((em) => this.record(em, header));
    if (!isNew) return false;
    const now = this.clock.now();
    await this.em
      .fork()
      .transactional((em) =>
        createPastPartitions((text, parameters) => sql(em, text, parameters), now, header.oldest_rows),
      );
    return true;
  }

  private async assertFits({ format, migrations, locations }: Header): Promise<void> {
    const own = await withClient(this.settings.databaseUrl!, executedMigrations);
    if (format !== FORMAT || migrations.join() !== own.join()) {
      throw new TransferError(
        `The export is of the schema ${migrations.at(-1) ?? '?'}, and this installation has ${own.at(-1) ?? '?'}: bring both to the same version and export again.`,
      );
    }
    if (this.bucket && locations.includes(this.bucket.location)) {
      throw new TransferError(
        `Both installations store documents in "${this.bucket.location}": the source would delete those of the target. Give STORAGE_URL another prefix here.`,
      );
    }
  }

  private async record(
    em: EntityManager,
    { environment_uuid: environmentUuid, transfer_uuid }: Header,
  ): Promise<boolean> {
    await lockExclusively(em, environmentUuid);
    const { environment, transfer } = await lockTransferState(em, environmentUuid);
    if (environment && !(environment.fence === 'ARRIVING' && transfer?.uuid === transfer_uuid)) {
      throw new TransferError(`The environment ${environmentUuid} exists in this installation already.`);
    }
    if (environment) return false;
    if (transfer && transfer.uuid !== transfer_uuid) {
      throw new TransferError(
        'Another export of the environment was imported in part: run "environment discard-import" first.',
      );
    }
    await this.assertBucketIsEmpty(em, environmentUuid);
    await sql(
      em,
      `insert into environment_transfer (environment_uuid, uuid, direction, created_at) values ($1, $2, 'IN', $3)
       on conflict do nothing`,
      [environmentUuid, transfer_uuid, this.clock.now()],
    );
    return true;
  }

  /** Objects have the names of their contents: those of an earlier copy must be deleted before they are written again. */
  private async assertBucketIsEmpty(em: EntityManager, environmentUuid: string): Promise<void> {
    const left = await sql(em, 'select from object_deletion_queue where environment_uuid = $1 limit 1', [
      environmentUuid,
    ]);
    if (left.length === 0) return;
    throw new TransferError(
      'Documents of an earlier copy of the environment are still being deleted from the bucket. Try again when the queue of deletions is empty.',
    );
  }
}
