import { Injectable } from '@nestjs/common';

/** How long a source may keep a fetch waiting, in milliseconds. */
@Injectable()
export class FetchLimits {
  /** A document ends, or its next MiB arrives, within this: about 3.5 KB a second. A trickle is given up, the rest goes on. */
  readonly documentMs: number = 5 * 60_000;
  /** A page, a document or a MiB arrives within this, or the whole fetch is given up. */
  readonly fetchMs: number = 15 * 60_000;
}
