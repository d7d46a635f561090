import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';

/** Limits of concurrency and time for a client's endpoint, in milliseconds. */
@Injectable()
export class PushLimits {
  /**
   * decisions 6: maximum time without progress while the endpoint takes a document, and for its whole response after
   * that.
   */
  readonly idleTimeoutMs: number = 30_000;
  /** Maximum duration of a push, even when its receiver reads slowly. */
  readonly totalTimeoutMs: number = 15 * 60_000;
  /** Minimum rate at which a document must be taken: it gives small ones a shorter maximum. */
  readonly minBytesPerSecond: number = 64 * 1024;
  /** decisions 6: maximum duration of sending an event. */
  readonly webhookTimeoutMs: number = 10_000;
  /** Further time at shutdown for requests in flight. */
  readonly shutdownGraceMs: number = 3_000;
  /** After that, further time to write results that the database has not accepted yet. */
  readonly writeGraceMs: number = 10_000;
  /** Rejected results of one environment from which on its pushes wait until some can be written. */
  readonly maxRejectedResults: number = 100;
  /** Duration for which a job serves one endpoint before it is queued again after the others. */
  readonly timeSliceMs: number = 20_000;
  /** An endpoint that has not responded within this time is slow: it uses none of the capacity reserved for prompt ones. */
  readonly promptMs: number = 1_000;
  /** Documents in flight to one endpoint until it has responded. */
  readonly initialInFlight: number = 1;
  /** Maximum number of documents in flight to one endpoint, once it has responded often enough. */
  readonly maxInFlight: number;
  /** Documents that are read and signed in advance, so that the endpoint never waits for the database. */
  readonly prefetchCount: number = 8;

  constructor(settings: Settings) {
    this.maxInFlight = settings.pushConcurrency;
  }

  /** The maximum duration of a push of the given length. */
  totalTimeoutMsFor(bytes: number): number {
    return Math.min(this.totalTimeoutMs, 2 * this.idleTimeoutMs + Math.ceil((bytes * 1000) / this.minBytesPerSecond));
  }
}
