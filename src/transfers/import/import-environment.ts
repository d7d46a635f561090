import { Injectable } from '@nestjs/common';
import { readEncrypted } from '../file/encrypted-file';
import { type Frame, parseFrame, readFrames } from '../file/frames';
import type { ContentFrame, Header, KeyFrame } from '../file/header';
import { TransferKeys } from '../file/transfer-keys';
import { isNotAnExport } from '../transfer';
import { BeginImport } from './begin-import';
import { type ArrivingContent, ImportContents } from './import-contents';
import { ImportRows } from './import-rows';

export interface ImportedEnvironment {
  readonly environmentUuid: string;
  /** Proves to the source that everything is here. */
  readonly receipt: string;
  /** False: an earlier import was complete, and nothing was changed. */
  readonly isNew: boolean;
}

/**
 * Imports an environment from a file of `ExportEnvironment`: keys and documents first, then all rows in one transaction. The
 * environment is fenced until it is activated. An interrupted import can be repeated, and a repeated one changes nothing.
 */
@Injectable()
export class ImportEnvironment {
  constructor(
    private readonly transferKeys: TransferKeys,
    private readonly begin: BeginImport,
    private readonly contents: ImportContents,
    private readonly rows: ImportRows,
  ) {}

  /** `progress` is called after each document. @throws TransferError when the file cannot be imported here */
  async import(actor: string, path: string, progress: (contents: number) => void): Promise<ImportedEnvironment> {
    const frames = readFrames(readEncrypted(path, await this.transferKeys.identities()));
    try {
      const first = await frames.next();
      if (first.done || first.value.type !== 'H') throw isNotAnExport();
      const header = parseFrame<Header>(first.value);
      const isNew = await this.begin.begin(header);
      if (isNew) {
        const firstTable = await this.importContents(header.environment_uuid, frames, progress);
        await this.rows.import(actor, header, firstTable, frames);
      }
      return { environmentUuid: header.environment_uuid, receipt: await this.contents.receiptOf(header), isNew };
    } finally {
      await frames.return();
    }
  }

  /** Returns the first frame after the keys and contents. */
  private async importContents(
    environmentUuid: string,
    frames: AsyncGenerator<Frame, void>,
    progress: (contents: number) => void,
  ): Promise<Frame> {
    let content: ArrivingContent | null = null;
    let count = 0;
    for (;;) {
      const { done, value: next } = await frames.next();
      if (done) throw isNotAnExport();
      if (next.type === 'B') {
        if (!content) throw isNotAnExport();
        if (!(await this.contents.add(content, next.payload))) continue;
        content = null;
        progress(++count);
        continue;
      }
      if (content) throw isNotAnExport();
      if (next.type === 'K') await this.contents.storeKeys(environmentUuid, parseFrame<KeyFrame[]>(next));
      else if (next.type === 'C') content = await this.contents.begin(environmentUuid, parseFrame<ContentFrame>(next));
      else return next;
    }
  }
}
