import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CATCH_UP_PER_SECOND } from './breaker';
import { type DueBatch, type DueDocument, DueDocuments } from './due-documents';
import { inLanes } from './in-lanes';
import { LeaveToPull } from './leave-to-pull';
import { PushLimits } from './push-limits';
import { SendDocument } from './send-document';
import { takeTurn } from './turn';

/** Documents that are read and signed while others are on their way, so that an endpoint never waits for the database. */
const AHEAD = 8;

/**
 * The job "drain endpoint Y": pushes what is due for one client, in order, until nothing is due, it is held back, or its
 * turn is over.
 */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly due: DueDocuments,
    private readonly send: SendDocument,
    private readonly leave: LeaveToPull,
    private readonly limits: PushLimits,
  ) {}

  async run(environmentUuid: string, signal: AbortSignal): Promise<void> {
    await takeTurn(signal, this.limits, (turn, cut) => this.drain(environmentUuid, turn, cut));
  }

  private async drain(environmentUuid: string, turn: AbortSignal, cut: AbortSignal): Promise<void> {
    const rate = new Rate(CATCH_UP_PER_SECOND);
    let coming: Promise<DueBatch | null> | undefined;
    while (!turn.aborted) {
      const batch = await (coming ?? this.due.next(environmentUuid, []));
      if (!batch) return;
      const { endpoint, through, documents, tooLarge } = batch;
      await this.leave.run(tooLarge);
      const traffic = {
        lanes: this.limits.atOnce,
        ahead: AHEAD,
        pace: async () => (through === 'catching up' ? rate.next() : undefined),
        goOn: () => !turn.aborted,
      };
      coming = undefined;
      const held = await inLanes(documents, traffic, {
        prepare: (document) => {
          // What a probe tells of the endpoint decides about all others.
          if (document === documents.at(-1) && through === 'open') coming = this.ahead(environmentUuid, documents);
          return this.send.prepare(document, endpoint);
        },
        send: (ready) => this.send.run(ready, endpoint, through, cut),
      });
      if (held) return;
    }
  }

  /** What comes behind a batch, looked up while the last of it are on their way. */
  private ahead(environmentUuid: string, sending: readonly DueDocument[]): Promise<DueBatch | null> {
    const next = this.due.next(environmentUuid, sending);
    next.catch(() => undefined); // thrown at its await, if it comes to that
    return next;
  }
}

/** So many a second, evenly: what was not used is not saved up. */
class Rate {
  private at = 0;

  constructor(private readonly perSecond: number) {}

  async next(): Promise<void> {
    const now = performance.now();
    this.at = Math.max(now, this.at + 1000 / this.perSecond);
    if (this.at > now) await pause(this.at - now);
  }
}
