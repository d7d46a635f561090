import { Injectable } from '@nestjs/common';

/** How long a client's endpoint may take, in milliseconds. */
@Injectable()
export class PushLimits {
  /** contract 6: how long it may stay silent. */
  readonly silenceMs: number = 30_000;
  /** No push takes longer than this as a whole, however slowly its receiver reads. */
  readonly wholeMs: number = 15 * 60_000;
  /** contract 6: how long the sending of an event may take as a whole. */
  readonly webhookMs: number = 10_000;
  /** What is on its way when the service shuts down may take so much longer. */
  readonly graceMs: number = 3_000;
  /** A job looks after one endpoint for so long; then it goes to the end of the line, and others have their turn. */
  readonly turnMs: number = 20_000;
}
