import type { PushLimits } from '../../shared/push-limits';
import type { PushCapacity } from './push-capacity';

/**
 * How a request ended: delivered, answered with another status, without a response, or without information about the
 * endpoint.
 */
export type AttemptOutcome = 'delivered' | 'rejected' | 'no-response' | 'unknown';

/**
 * Congestion window of one drain (decisions 6 "Isolation"). It begins with one request in flight; each delivery adds
 * one, a request without a response resets it to one. An endpoint that responds promptly gets one of a few wide slots,
 * with which documents are prefetched. One that does not respond within `PushLimits.promptMs` has none, regardless of
 * the number of waiting requests: they cost sockets, and their use of the database and the processor is bounded
 * (`PushCapacity.runAsSlow`).
 */
export class CongestionWindow {
  /** `Environment.endpointVersion` of the latest request: the observations hold for this address. */
  endpointVersion = 0;
  private size: number;
  private hasResponse = false;
  private releaseWideSlot: (() => void) | null = null;
  private readonly firstDocument = Promise.withResolvers<void>();

  /** `prompt`: the last known response was prompt. `size`: requests in flight at the beginning. */
  constructor(
    private readonly limits: PushLimits,
    private readonly capacity: PushCapacity,
    public prompt: boolean,
    width: number,
  ) {
    this.size = Math.min(width, limits.maxInFlight);
  }

  /** Requests that may be in flight now. */
  get maxInFlight(): number {
    if (this.prompt && !this.releaseWideSlot) return Math.min(this.size, this.limits.initialInFlight);
    return this.size;
  }

  /** Documents that may be prefetched: none for an endpoint that has not responded promptly. */
  get prefetchCount(): number {
    return this.releaseWideSlot ? this.limits.prefetchCount : 0;
  }

  /** Initial size for the next drain. */
  get finalSize(): number {
    return this.size;
  }

  /** Documents that may be read together. */
  get batchSize(): number {
    return this.releaseWideSlot ? Infinity : this.maxInFlight;
  }

  /** The endpoint has responded to this drain. */
  get hasResponded(): boolean {
    return this.hasResponse;
  }

  /** Resolves when the result of the first document is known. */
  get firstCompleted(): Promise<void> {
    return this.firstDocument.promise;
  }

  /** Call it when a request is sent, and the returned function once with its outcome. */
  requestStarted(): (outcome: AttemptOutcome) => void {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.prompt = false;
      this.shrink();
    }, this.limits.promptMs);
    return (outcome) => {
      clearTimeout(timer);
      this.requestEnded(outcome, !late);
    };
  }

  /** A document has been sent, or is no longer to be sent. */
  documentCompleted(): void {
    this.firstDocument.resolve();
  }

  /** Ends the drain's use of the endpoint. */
  close(): void {
    this.shrink();
    this.firstDocument.resolve();
  }

  private requestEnded(outcome: AttemptOutcome, promptly: boolean): void {
    if (outcome === 'no-response') this.size = 1;
    if (outcome === 'delivered') this.size = Math.min(this.size + 1, this.limits.maxInFlight);
    if (outcome === 'delivered' || outcome === 'rejected') {
      this.hasResponse = true;
      this.prompt = promptly;
      if (this.prompt) this.releaseWideSlot ??= this.capacity.tryAcquireWide();
    }
  }

  private shrink(): void {
    this.releaseWideSlot?.();
    this.releaseWideSlot = null;
  }
}
