import type { PushLimits } from '../../shared/push-limits';
import type { PushPlaces } from './push-places';

/** How a request to an endpoint ended: delivered, answered with something else, no answer, or it says nothing about it. */
export type Outcome = 'delivered' | 'refused' | 'silent' | 'unknown';

/**
 * How one drain uses its endpoint (decisions 6 "Isolation"). It begins with one request in flight; each delivery allows one
 * more, a request without an answer reduces them to one. An endpoint that answers promptly gets a wide place, of which there
 * are few: with it documents are read ahead. One that does not answer within `PushLimits.promptMs` has none, however many
 * requests wait for it: they cost sockets, and what they do with database and processor is bounded (`PushPlaces.quietly`).
 */
export class EndpointFlow {
  /** `Environment.addressVersion` of the latest request: what is learnt holds for this address. */
  addressVersion = 0;
  private width: number;
  private answered = false;
  private leaveWide: (() => void) | null = null;
  private readonly first = Promise.withResolvers<void>();

  /** `prompt`: whether it has last answered promptly, as far as is known. `width`: requests in flight to begin with. */
  constructor(
    private readonly limits: PushLimits,
    private readonly places: PushPlaces,
    public prompt: boolean,
    width: number,
  ) {
    this.width = Math.min(width, limits.atOnce);
  }

  /** Requests that may be in flight now. */
  get lanes(): number {
    if (this.prompt && !this.leaveWide) return Math.min(this.width, this.limits.lanesAtFirst);
    return this.width;
  }

  /** Documents that may be read before their turn: none for an endpoint that has not answered promptly. */
  get ahead(): number {
    return this.leaveWide ? this.limits.ahead : 0;
  }

  /** What the next drain may begin with. */
  get grown(): number {
    return this.width;
  }

  /** Documents that may be looked up together. */
  get batch(): number {
    return this.leaveWide ? Infinity : this.lanes;
  }

  /** Whether it has answered at all to this drain. */
  get hasAnswered(): boolean {
    return this.answered;
  }

  /** Resolves when it is known what became of the first document. */
  get firstEnded(): Promise<void> {
    return this.first.promise;
  }

  /** A request has left. Call the returned function once with its outcome. */
  leaves(): (outcome: Outcome) => void {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.prompt = false;
      this.narrow();
    }, this.limits.promptMs);
    return (outcome) => {
      clearTimeout(timer);
      this.ended(outcome, !late);
    };
  }

  /** A document has been sent, or is not to be sent any more. */
  oneEnded(): void {
    this.first.resolve();
  }

  /** Ends the drain's use of the endpoint. */
  close(): void {
    this.narrow();
    this.first.resolve();
  }

  private ended(outcome: Outcome, promptly: boolean): void {
    if (outcome === 'silent') this.width = 1;
    if (outcome === 'delivered') this.width = Math.min(this.width + 1, this.limits.atOnce);
    if (outcome === 'delivered' || outcome === 'refused') {
      this.answered = true;
      this.prompt = promptly;
      if (this.prompt) this.leaveWide ??= this.places.takeWide();
    }
  }

  private narrow(): void {
    this.leaveWide?.();
    this.leaveWide = null;
  }
}
