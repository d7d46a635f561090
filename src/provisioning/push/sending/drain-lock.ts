import { Injectable } from '@nestjs/common';
import type { DueDocument } from '../due-documents';

/**
 * The endpoints that this process drains, each with the documents that are made ready, on their way, or whose result is not
 * yet written. An endpoint is drained once at a time, also when its job was taken over while the first run still goes on: what
 * the second run had looked up could have been delivered meanwhile (decisions 6: a 200 is never forgotten).
 */
@Injectable()
export class DrainLock {
  private readonly locked = new Set<string>();

  /** Runs `work` with an empty set of documents, unless the endpoint of the environment is being drained here already. */
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
