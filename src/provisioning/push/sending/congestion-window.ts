import type { PushLimits } from '../../shared/push-limits';
import type { PushCapacity } from './push-capacity';

/** How a request to an endpoint ended: delivered, answered with something else, no answer, or it says nothing about it. */
export type AttemptOutcome = 'delivered' | 'refused' | 'silent' | 'unknown';

/**
 * How one drain uses its endpoint (decisions 6 "Isolation"). It begins with one request in flight; each delivery allows one
 * more, a request without an answer reduces them to one. An endpoint that answers promptly gets a wide place, of which there
 * are few: with it documents are read ahead. One that does not answer within `PushLimits.promptMs` has none, however many
 * requests wait for it: they cost sockets, and what they do with database and processor is bounded (`PushPlaces.quietly`).
 */
export class CongestionWindow {
  /** `Environment.addressVersion` of the latest request: what is learnt holds for this address. */
  addressVersion = 0;
  private size: number;
  private hasResponse = false;
  private releaseWideSlot: (() => void) | null = null;
  private readonly firstDocument = Promise.withResolvers<void>();

  /** `prompt`: whether it has last answered promptly, as far as is known. `width`: requests in flight to begin with. */
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

  /** Documents that may be read before their turn: none for an endpoint that has not answered promptly. */
  get prefetchCount(): number {
    return this.releaseWideSlot ? this.limits.prefetchCount : 0;
  }

  /** What the next drain may begin with. */
  get finalSize(): number {
    return this.size;
  }

  /** Documents that may be looked up together. */
  get batchSize(): number {
    return this.releaseWideSlot ? Infinity : this.maxInFlight;
  }

  /** Whether it has answered at all to this drain. */
  get hasResponded(): boolean {
    return this.hasResponse;
  }

  /** Resolves when it is known what became of the first document. */
  get firstCompleted(): Promise<void> {
    return this.firstDocument.promise;
  }

  /** A request has left. Call the returned function once with its outcome. */
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

  /** A document has been sent, or is not to be sent any more. */
  documentCompleted(): void {
    this.firstDocument.resolve();
  }

  /** Ends the drain's use of the endpoint. */
  close(): void {
    this.shrink();
    this.firstDocument.resolve();
  }

  private requestEnded(outcome: AttemptOutcome, promptly: boolean): void {
    if (outcome === 'silent') this.size = 1;
    if (outcome === 'delivered') this.size = Math.min(this.size + 1, this.limits.maxInFlight);
    if (outcome === 'delivered' || outcome === 'refused') {
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
