import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/config';

/** What is asked of a client's endpoint at the same time, and how long it may take, in milliseconds. */
@Injectable()
export class PushLimits {
  /** decisions 6: how long it may take nothing more of a document; and how long its whole answer may take after that. */
  readonly silenceMs: number = 30_000;
  /** No push takes longer than this as a whole, however slowly its receiver reads … */
  readonly wholeMs: number = 15 * 60_000;
  /** … and one of a small document not nearly so long: it has to be taken at this pace. */
  readonly slowestBytesPerSecond: number = 64 * 1024;
  /** decisions 6: how long the sending of an event may take as a whole. */
  readonly webhookMs: number = 10_000;
  /** What is on its way when the service shuts down may take so much longer. */
  readonly graceMs: number = 3_000;
  /** After that, results that the database has not taken yet are tried to be written for so much longer. */
  readonly writeGraceMs: number = 10_000;
  /** Results of one environment that the database refuses: from this number on, its pushes wait until some can be written. */
  readonly refusedAtMost: number = 100;
  /** A job looks after one endpoint for so long; then it goes to the end of the line, and others have their turn. */
  readonly turnMs: number = 20_000;
  /** An endpoint that has not answered for so long is slow: it has no part in what is reserved for those that answer. */
  readonly promptMs: number = 1_000;
  /** Documents that are on their way to one endpoint until it has answered … */
  readonly lanesAtFirst: number = 1;
  /** … and at the most, once it has answered often enough … */
  readonly atOnce: number;
  /** … and that are read and signed meanwhile, so that the endpoint never waits for the database. */
  readonly ahead: number = 8;

  constructor(settings: Settings) {
    this.atOnce = settings.pushConcurrency;
  }

  /** What a push of so many bytes may take as a whole. */
  wholeMsOf(bytes: number): number {
    return Math.min(this.wholeMs, 2 * this.silenceMs + Math.ceil((bytes * 1000) / this.slowestBytesPerSecond));
  }
}
