import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { Settings } from '../../platform/config/settings';
import { withClient } from '../../platform/database/with-client';
import { FenceEnvironment } from '../fence/fence-environment';
import type { WorkInProgress } from '../fence/work-in-progress';
import { writeEncrypted } from '../file/encrypted-file';
import { jsonFrame } from '../file/frames';
import type { EndFrame } from '../file/header';
import { assertRecipient } from '../file/transfer-keys';
import { ReadContents } from './read-contents';
import { readHeader } from './read-header';
import { ReadKeys } from './read-keys';
import { readRows } from './read-rows';

/** Where an export goes. */
export interface ExportTarget {
  /** The transfer key of the target. */
  readonly recipient: string;
  /** The file to write. */
  readonly path: string;
}

/** Is told what the export does. */
export interface ExportProgress {
  waiting(work: WorkInProgress): void;
  content(count: number): void;
}

export interface ExportedEnvironment extends EndFrame {
  readonly transferUuid: string;
}

/**
 * Fences an environment and writes everything of it into a file for another installation (decisions 7 "Moving"). An interrupted export
 * leaves the fence and no file; a repetition belongs to the same transfer and writes the same data.
 */
@Injectable()
export class ExportEnvironment {
  constructor(
    private readonly settings: Settings,
    private readonly fence: FenceEnvironment,
    private readonly keys: ReadKeys,
    private readonly contents: ReadContents,
  ) {}

  /** @throws TransferError when the environment cannot be exported */
  async export(
    actor: string,
    environmentUuid: string,
    { recipient, path }: ExportTarget,
    progress: ExportProgress,
  ): Promise<ExportedEnvironment> {
    await assertRecipient(recipient);
    const transferUuid = await this.fence.fence(actor, environmentUuid, (work) => progress.waiting(work));
    const end = { keys: 0, contents: 0 };
    const frames = (client: Client) => this.frames(client, environmentUuid, transferUuid, end, progress);
    await withClient(this.settings.databaseUrl!, async (client) => {
      await writeEncrypted(path, recipient, frames(client));
    });
    return { transferUuid, ...end };
  }

  private async *frames(
    client: Client,
    environmentUuid: string,
    transferUuid: string,
    end: { keys: number; contents: number },
    progress: ExportProgress,
  ): AsyncGenerator<Buffer, void> {
    yield jsonFrame('H', await readHeader(client, environmentUuid, transferUuid));
    yield* this.keys.read(client, environmentUuid, () => void end.keys++);
    yield* this.contents.read(client, environmentUuid, () => progress.content(++end.contents));
    // The fence keeps everything as it is; one snapshot anyway, and only of the rows: an old one costs the job engine its throughput.
    await client.query('begin isolation level repeatable read read only');
    yield* readRows(client, environmentUuid);
    yield jsonFrame('Z', end satisfies EndFrame);
  }
}
