import type { Integration } from '../../../integrations/core/integration';
import type { SourceDocument } from '../../../integrations/core/source-document';
import { Temporary } from '../../../integrations/core/source-errors';
import type { CountFetches } from '../../history/count-fetches';
import type { FetchLimits } from '../fetch-limits';

/** So many bytes of a document are progress; fewer may be a source that trickles for ever. */
const PROGRESS_BYTES = 1024 * 1024;
/** Limits are looked at so often while they run. */
const LOOKS_A_LIMIT = 5;

interface Reading {
  movedAt: number;
  bytes: number;
  giveUp: (error: Error) => void;
}

/**
 * Watches whether a fetch moves. A source that has stopped answering, or trickles, cannot hold a connection for ever,
 * whatever its connector does about it: a document that does not come fails alone, a fetch that does not move fails as a
 * whole and is tried again later. Time is the machine's, not the calendar's.
 */
export class Patience {
  /** Aborted when the fetch as a whole is given up. */
  readonly signal: AbortSignal;
  private readonly end = new AbortController();
  private readonly readings = new Set<Reading>();
  private movedAt = performance.now();

  constructor(
    private readonly limits: FetchLimits,
    private readonly count: CountFetches,
    private readonly integration: Integration,
  ) {
    this.signal = this.end.signal;
  }

  /** The outcome of the fetch, unless it is given up before. */
  async wait<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    // Only now: a fetch that does not come to its beginning leaves no timer behind.
    const shortest = Math.min(this.limits.documentMs, this.limits.fetchMs);
    const timer = setInterval(() => this.look(), shortest / LOOKS_A_LIMIT);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearInterval(timer);
      work.catch(() => undefined); // nobody waits for what was given up
    }
  }

  /** The connector, watched. */
  watched(): Integration {
    const { integration } = this;
    return {
      ...integration,
      list: (...given) => this.pages(integration.list(...given)),
      open: (...given) => this.reading(integration.open(...given)),
    };
  }

  private async *pages<Page>(listing: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of listing) {
      this.moved();
      yield page;
      this.moved(); // what was done with the page was not the source's doing
    }
  }

  private async reading(opening: Promise<SourceDocument>): Promise<SourceDocument> {
    const { promise, reject } = Promise.withResolvers<never>();
    const reading: Reading = { movedAt: performance.now(), bytes: 0, giveUp: reject };
    this.readings.add(reading);
    let source: SourceDocument;
    try {
      source = await Promise.race([opening, promise]);
    } catch (error) {
      this.readings.delete(reading);
      // What comes too late is let go.
      opening.then(({ stream }) => stream.on('error', () => undefined).destroy()).catch(() => undefined);
      throw error;
    }
    const { stream } = source;
    reading.giveUp = (error) => stream.destroy(error);
    stream.once('close', () => {
      this.readings.delete(reading);
      this.moved();
    });
    // Counted where it is read anyway: another stream around each document would cost every document.
    const read = stream.read.bind(stream);
    stream.read = (size?: number): unknown => {
      const chunk: unknown = read(size);
      if (chunk !== null) this.arrived(reading, (chunk as Buffer | string).length);
      return chunk;
    };
    return source;
  }

  private arrived(reading: Reading, bytes: number): void {
    reading.bytes += bytes;
    if (reading.bytes < PROGRESS_BYTES) return;
    reading.bytes = 0;
    reading.movedAt = performance.now();
    this.moved();
  }

  private moved(): void {
    this.movedAt = performance.now();
  }

  private look(): void {
    const now = performance.now();
    for (const reading of [...this.readings]) {
      if (now - reading.movedAt < this.limits.documentMs) continue;
      this.readings.delete(reading);
      this.count.stalled(this.integration.id, 'document');
      reading.giveUp(new Temporary('A document has not moved on for minutes.'));
    }
    if (now - this.movedAt < this.limits.fetchMs || this.signal.aborted) return;
    this.count.stalled(this.integration.id, 'fetch');
    this.end.abort(new Temporary('The source has not moved on for minutes.'));
  }
}
