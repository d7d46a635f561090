import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { ToldChanges } from '../../platform/replica/told-changes';
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

/** Options that the job engine passes to a drain. */
export interface DrainOptions {
  /** The endpoint's last response was prompt. */
  readonly prompt: boolean;
  /**
   * Called when the first document has been sent, or when there is none. Until then the drain uses the database and the
   * processor.
   */
  readonly onStarted: () => void;
}

/**
 * The job "drain endpoint Y": pushes a client's due documents in order until none is due, the circuit opens, or its
 * time slice ends. While it waits for the endpoint it holds a socket and no database connection.
 */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly due: DueDocuments,
    private readonly send: SendDocument,
    private readonly fallBackToPull: FallBackToPull,
    private readonly limits: PushLimits,
    private readonly shared: SharedSendState,
    private readonly told: ToldChanges,
  ) {}

  async drain(
    environmentUuid: string,
    signal: AbortSignal,
    { prompt, onStarted }: DrainOptions = { prompt: true, onStarted: () => undefined },
  ): Promise<void> {
    const { capacity, drainLock } = this.shared;
    const { initialInFlight } = this.limits;
    const initialSize = prompt ? initialInFlight : Math.max(initialInFlight, capacity.windowOf(environmentUuid));
    const window = new CongestionWindow(this.limits, capacity, prompt, initialSize);
    try {
      await drainLock.runExclusive(environmentUuid, (inFlight) =>
        runTimeSlice(signal, this.limits, (timeSlice, abort) =>
          this.drainBatches({
            environmentUuid,
            inFlight,
            window,
            timeSlice,
            abort,
            onStarted,
          }),
        ),
      );
      await this.shared.promptEndpoints.record(environmentUuid, prompt, window);
    } finally {
      window.close();
      capacity.rememberWindow(environmentUuid, window.prompt ? 1 : window.finalSize);
    }
  }

  /** Due transactions that this process must not send. */
  get excludedTransactions(): string[] {
    return this.shared.results.rejected.transactionUuids();
  }

  private async drainBatches(drain: EndpointDrain): Promise<void> {
    const { inFlight, window, timeSlice } = drain;
    const pacer = new CatchUpPacer(CATCH_UP_PER_SECOND);
    let batch = await this.nextBatch(drain);
    while (batch && !timeSlice.aborted) {
      const { permission } = batch;
      let other: DueBatch | null | undefined;
      const fetchMore = async () => {
        // An endpoint that has not responded yet may never do so: read no more documents for it.
        await window.firstCompleted;
        const found = timeSlice.aborted ? null : await this.nextBatch(drain);
        if (found?.permission === 'all') return withEndpoint(found);
        other = found;
        return [];
      };
      const stopped = await sendConcurrently(
        {
          initial: withEndpoint(batch),
          // The result of a trial decides about all other documents.
          ...(permission === 'all' && { fetchMore }),
          prepare: ({ document, endpoint }) => {
            inFlight.add(document);
            // For a slow endpoint, the document is read only when it is about to be sent.
            return { document, endpoint, prepared: window.prompt ? this.send.prepare(document, endpoint) : null };
          },
          send: (addressed) => this.sendDocument(drain, addressed, permission),
        },
        {
          maxInFlight: () => window.maxInFlight,
          prefetchCount: () => window.prefetchCount,
          throttle: async () => (permission === 'rate-limited' ? pacer.wait() : undefined),
          shouldContinue: () => !timeSlice.aborted,
        },
      );
      if (stopped) return;
      batch = other === undefined ? await this.nextBatch(drain) : other;
    }
  }

  private async sendDocument(
    drain: EndpointDrain,
    addressed: QueuedDocument,
    permission: SendPermission,
  ): Promise<SendResult> {
    const { inFlight, window, timeSlice, abort, onStarted } = drain;
    const { document, endpoint, prepared } = addressed;
    let release = () => undefined as void;
    const onRequestStart = () => {
      release();
      onStarted();
    };
    await this.shared.results.waitUntilWritable();
    if (!prepared && !timeSlice.aborted) release = await this.shared.capacity.acquireSlow();
    if (timeSlice.aborted) {
      release();
      window.documentCompleted(); // otherwise the workers that wait for more documents would never end
      return { ok: true, stopRequested: Promise.resolve(false) };
    }
    window.endpointVersion = endpoint.endpointVersion;
    const ready = prepared ?? this.send.prepare(document, endpoint);
    const sent = this.send.send(ready, endpoint, permission, { window, abort, onRequestStart });
    const { ok, stopRequested } = await sent.finally(() => window.documentCompleted());
    return { ok, stopRequested: stopRequested.finally(() => inFlight.delete(document)) };
  }

  /**
   * Reads the next due documents, except those that are being sent or must not be sent. Those that are too large become
   * available to be pulled.
   */
  private async nextBatch({ environmentUuid, inFlight, window }: EndpointDrain): Promise<DueBatch | null> {
    const { capacity, results } = this.shared;
    if (results.rejected.isFull(environmentUuid)) return null;
    const read = async () => {
      const excluded = [...inFlight].map(({ transaction }) => transaction.uuid);
      excluded.push(...results.rejected.transactionUuids(environmentUuid));
      const batch = await this.due.nextBatch(environmentUuid, excluded, window.batchSize);
      if (batch) {
        await this.fallBackToPull.makeAvailable(batch.tooLarge);
        await this.told.note(environmentUuid);
      }
      return batch;
    };
    return window.prompt ? read() : capacity.runAsSlow(read);
  }
}

/** One run of the job. */
interface EndpointDrain {
  readonly environmentUuid: string;
  /** Documents that are prepared, or sent and not yet recorded. */
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

/** Pairs each document with the endpoint that was read with it: settings may change from one batch to the next. */
function withEndpoint({ documents, endpoint }: DueBatch): AddressedDocument[] {
  return documents.map((document) => ({ document, endpoint }));
}

/** Limits the pacer to `perSecond`, evenly spaced; unused capacity does not accumulate. */
class CatchUpPacer {
  private nextAt = 0;

  constructor(private readonly perSecond: number) {}

  async wait(): Promise<void> {
    const now = performance.now();
    this.nextAt = Math.max(now, this.nextAt + 1000 / this.perSecond);
    if (this.nextAt > now) await pause(this.nextAt - now);
  }
}
