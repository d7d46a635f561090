import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CATCH_UP_PER_SECOND } from './circuit/endpoint.entity';
import { type DueBatch, type DueDocument, DueDocuments } from './due-documents';
import { inLanes } from './in-lanes';
import { LeaveToPull } from './leave-to-pull';
import type { OpenEndpoint } from './open-endpoint';
import { PushLimits } from './push-limits';
import { SendDocument } from './send-document';
import { takeTurn } from './turn';

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
    const sending = new Set<DueDocument>();
    let batch = await this.next(environmentUuid, sending);
    while (batch && !turn.aborted) {
      const { through } = batch;
      let other: DueBatch | null | undefined;
      const more = async () => {
        const found = await this.next(environmentUuid, sending);
        if (found?.through === 'open') return withEndpoint(found);
        other = found;
        return [];
      };
      const held = await inLanes(
        {
          first: withEndpoint(batch),
          // What a trial tells of the endpoint decides about all others.
          ...(through === 'open' && { more }),
          prepare: ({ document, endpoint }) => {
            sending.add(document);
            return { document, endpoint, ready: this.send.prepare(document, endpoint) };
          },
          send: async ({ document, endpoint, ready }) => {
            const { ok, settled } = await this.send.run(ready, endpoint, through, cut);
            return { ok, settled: settled.finally(() => sending.delete(document)) };
          },
        },
        {
          lanes: this.limits.atOnce,
          ahead: this.limits.ahead,
          pace: async () => (through === 'catching up' ? rate.next() : undefined),
          goOn: () => !turn.aborted,
        },
      );
      if (held) return;
      batch = other === undefined ? await this.next(environmentUuid, sending) : other;
    }
  }

  /** What is due beside those that are being sent already; what is too large to be sent is left to be pulled. */
  private async next(environmentUuid: string, sending: ReadonlySet<DueDocument>): Promise<DueBatch | null> {
    const batch = await this.due.next(environmentUuid, [...sending]);
    if (batch) await this.leave.run(batch.tooLarge);
    return batch;
  }
}

/** Each with the endpoint that it was looked up for: settings may change from one batch to the next. */
function withEndpoint({ documents, endpoint }: DueBatch): { document: DueDocument; endpoint: OpenEndpoint }[] {
  return documents.map((document) => ({ document, endpoint }));
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
