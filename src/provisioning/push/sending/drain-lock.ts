import { Injectable } from '@nestjs/common';
import type { DueDocument } from '../due-documents';

/**
 * The endpoints that this process drains, each with the documents that are prepared, in flight, or not yet recorded. An
 * endpoint has one drain at a time, even when its job was taken over while the first run still continues: documents
 * that the second run has read could have been delivered meanwhile (decisions 6: a 200 is never forgotten).
 */
@Injectable()
export class DrainLock {
  private readonly locked = new Set<string>();

  /** Runs `work` with an empty set of documents, unless this process is already draining the environment's endpoint. */
  async runExclusive(environmentUuid: string, work: (documents: Set<DueDocument>) => Promise<void>): Promise<void> {
    if (this.locked.has(environmentUuid)) return;
    this.locked.add(environmentUuid);
    try {
      await work(new Set());
    } finally {
      this.locked.delete(environmentUuid);
    }
  }
}
