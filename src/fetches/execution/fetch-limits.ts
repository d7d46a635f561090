import { Injectable } from '@nestjs/common';

/** How long a fetch waits, in milliseconds. */
@Injectable()
export class FetchLimits {
  /** Within this time a document ends or its next MiB arrives, about 3.5 KB a second. Otherwise the document fails and the fetch continues. */
  readonly documentMs: number = 5 * 60_000;
  /** Within this time a page, a document or a MiB arrives. Otherwise the whole fetch fails. */
  readonly fetchMs: number = 15 * 60_000;
  /** How long a fetch pauses that could not store a document, before it is queued again. */
  readonly storagePauseMs: number = 30_000;
}
