import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { SendPermission } from '../circuit/circuit-breaker';
import { CATCH_UP_PER_SECOND } from '../circuit/endpoint.entity';
import { type DueBatch, type DueDocument, DueDocuments } from './due-documents';
import { sendConcurrently, type SendResult } from './sending/send-concurrently';
import { FallBackToPull } from './fall-back-to-pull';
import type { ResolvedEndpoint } from './resolve-endpoint';
import { PushLimits } from '../shared/push-limits';
import { type PreparedDocument, SendDocument } from './send-document';
import { CongestionWindow } from './sending/congestion-window';
import { SharedSendState } from './sending/shared-send-state';
import { runTimeSlice } from '../shared/run-time-slice';

/** What the job engine knows of a drain. */
export interface DrainOptions {
  /** Whether the endpoint has last answered promptly. */
  readonly prompt: boolean;
  /** Called when the first document has left, or there is none: until then the drain takes database and processor. */
  readonly onStarted: () => void;
}

/**
 * The job "drain endpoint Y": pushes what is due for one client, in order, until nothing is due, it is held back, or its
 * turn is over. While it waits for the endpoint it holds a socket and no connection to the database.
 */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly due: DueDocuments,
    private readonly send: SendDocument,
    private readonly fallBackToPull: FallBackToPull,
    private readonly limits: PushLimits,
    private readonly shared: SharedSendState,
  ) {}

  async drain(
    environmentUuid: string,
    signal: AbortSignal,
    { prompt, onStarted: begun }: DrainOptions = { prompt: true, onStarted: () => undefined },
  ): Promise<void> {
    const { capacity: places, drainLock: inFlight } = this.shared;
    const { initialInFlight: lanesAtFirst } = this.limits;
    const width = prompt ? lanesAtFirst : Math.max(lanesAtFirst, places.windowOf(environmentUuid));
    const flow = new CongestionWindow(this.limits, places, prompt, width);
    try {
      await inFlight.runExclusive(environmentUuid, (sending) =>
        runTimeSlice(signal, this.limits, (turn, cut) =>
          this.drainBatches({
            environmentUuid,
            inFlight: sending,
            window: flow,
            timeSlice: turn,
            abort: cut,
            onStarted: begun,
          }),
        ),
      );
      await this.shared.promptEndpoints.record(environmentUuid, prompt, flow);
    } finally {
      flow.close();
      places.rememberWindow(environmentUuid, flow.prompt ? 1 : flow.finalSize);
    }
  }

  /** Transactions that this process does not send, although they are due. */
  get excludedTransactions(): string[] {
    return this.shared.results.rejected.transactionUuids();
  }

  private async drainBatches(drain: EndpointDrain): Promise<void> {
    const { inFlight: sending, window: flow, timeSlice: turn } = drain;
    const rate = new CatchUpPacer(CATCH_UP_PER_SECOND);
    let batch = await this.nextBatch(drain);
    while (batch && !turn.aborted) {
      const { permission: through } = batch;
      let other: DueBatch | null | undefined;
      const more = async () => {
        // An endpoint that has not answered yet may never: nothing more is looked up for it.
        await flow.firstCompleted;
        const found = turn.aborted ? null : await this.nextBatch(drain);
        if (found?.permission === 'open') return withEndpoint(found);
        other = found;
        return [];
      };
      const held = await sendConcurrently(
        {
          initial: withEndpoint(batch),
          // What a trial tells of the endpoint decides about all others.
          ...(through === 'open' && { fetchMore: more }),
          prepare: ({ document, endpoint }) => {
            sending.add(document);
            // For an endpoint that is slow it is read when its turn has come.
            return { document, endpoint, prepared: flow.prompt ? this.send.prepare(document, endpoint) : null };
          },
          send: (addressed) => this.sendDocument(drain, addressed, through),
        },
        {
          maxInFlight: () => flow.maxInFlight,
          prefetchCount: () => flow.prefetchCount,
          throttle: async () => (through === 'catching up' ? rate.wait() : undefined),
          shouldContinue: () => !turn.aborted,
        },
      );
      if (held) return;
      batch = other === undefined ? await this.nextBatch(drain) : other;
    }
  }

  private async sendDocument(
    drain: EndpointDrain,
    addressed: QueuedDocument,
    through: SendPermission,
  ): Promise<SendResult> {
    const { inFlight: sending, window: flow, timeSlice: turn, abort: cut, onStarted: begun } = drain;
    const { document, endpoint, prepared } = addressed;
    let leave = () => undefined as void;
    const leaving = () => {
      leave();
      begun();
    };
    await this.shared.results.waitUntilWritable();
    if (!prepared && !turn.aborted) leave = await this.shared.capacity.acquireSlow();
    if (turn.aborted) {
      leave();
      flow.documentCompleted(); // else the lanes that wait for more would wait for ever
      return { ok: true, stopRequested: Promise.resolve(false) };
    }
    flow.addressVersion = endpoint.addressVersion;
    const made = prepared ?? this.send.prepare(document, endpoint);
    const sent = this.send.send(made, endpoint, through, { window: flow, abort: cut, onRequestStart: leaving });
    const { ok, stopRequested: settled } = await sent.finally(() => flow.documentCompleted());
    return { ok, stopRequested: settled.finally(() => sending.delete(document)) };
  }

  /** What is due beside those that are being sent or must not be sent; what is too large is left to be pulled. */
  private async nextBatch({
    environmentUuid,
    inFlight: sending,
    window: flow,
  }: EndpointDrain): Promise<DueBatch | null> {
    const { capacity: places, results: unwritten } = this.shared;
    if (unwritten.rejected.isFull(environmentUuid)) return null;
    const look = async () => {
      const excluded = [...sending].map(({ transaction }) => transaction.uuid);
      excluded.push(...unwritten.rejected.transactionUuids(environmentUuid));
      const batch = await this.due.nextBatch(environmentUuid, excluded, flow.batchSize);
      if (batch) await this.fallBackToPull.makeAvailable(batch.tooLarge);
      return batch;
    };
    return flow.prompt ? look() : places.runAsSlow(look);
  }
}

/** One run of the job. */
interface EndpointDrain {
  readonly environmentUuid: string;
  /** What it has made ready, or sent and not yet written down. */
  readonly inFlight: Set<DueDocument>;
  readonly window: CongestionWindow;
  readonly timeSlice: AbortSignal;
  readonly abort: AbortSignal;
  readonly onStarted: () => void;
}

interface AddressedDocument {
  readonly document: DueDocument;
  readonly endpoint: ResolvedEndpoint;
}

interface QueuedDocument extends AddressedDocument {
  readonly prepared: PreparedDocument | null;
}

/** Each with the endpoint that it was looked up for: settings may change from one batch to the next. */
function withEndpoint({ documents, endpoint }: DueBatch): AddressedDocument[] {
  return documents.map((document) => ({ document, endpoint }));
}

/** So many a second, evenly: what was not used is not saved up. */
class CatchUpPacer {
  private nextAt = 0;

  constructor(private readonly perSecond: number) {}

  async wait(): Promise<void> {
    const now = performance.now();
    this.nextAt = Math.max(now, this.nextAt + 1000 / this.perSecond);
    if (this.nextAt > now) await pause(this.nextAt - now);
  }
}
