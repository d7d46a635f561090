import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/config';

/** What is asked of a client's endpoint at the same time, and how long it may take, in milliseconds. */
@Injectable()
export class PushLimits {
  /** decisions 6: how long it may take nothing more of a document; and how long its whole answer may take after that. */
  readonly idleTimeoutMs: number = 30_000;
  /** No push takes longer than this as a whole, however slowly its receiver reads … */
  readonly totalTimeoutMs: number = 15 * 60_000;
  /** … and one of a small document not nearly so long: it has to be taken at this pace. */
  readonly minBytesPerSecond: number = 64 * 1024;
  /** decisions 6: how long the sending of an event may take as a whole. */
  readonly webhookTimeoutMs: number = 10_000;
  /** What is on its way when the service shuts down may take so much longer. */
  readonly shutdownGraceMs: number = 3_000;
  /** After that, results that the database has not taken yet are tried to be written for so much longer. */
  readonly writeGraceMs: number = 10_000;
  /** Results of one environment that the database refuses: from this number on, its pushes wait until some can be written. */
  readonly maxRejectedResults: number = 100;
  /** A job looks after one endpoint for so long; then it goes to the end of the line, and others have their turn. */
  readonly timeSliceMs: number = 20_000;
  /** An endpoint that has not answered for so long is slow: it has no part in what is reserved for those that answer. */
  readonly promptMs: number = 1_000;
  /** Documents that are on their way to one endpoint until it has answered … */
  readonly initialInFlight: number = 1;
  /** … and at the most, once it has answered often enough … */
  readonly maxInFlight: number;
  /** … and that are read and signed meanwhile, so that the endpoint never waits for the database. */
  readonly prefetchCount: number = 8;

  constructor(settings: Settings) {
    this.maxInFlight = settings.pushConcurrency;
  }

  /** What a push of so many bytes may take as a whole. */
  totalTimeoutMsFor(bytes: number): number {
    return Math.min(this.totalTimeoutMs, 2 * this.idleTimeoutMs + Math.ceil((bytes * 1000) / this.minBytesPerSecond));
  }
}
