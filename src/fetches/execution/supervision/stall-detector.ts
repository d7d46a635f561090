import type { Integration } from '../../../integrations/core/integration';
import type { SourceDocument } from '../../../integrations/core/source-document';
import { Transient } from '../../../integrations/core/source-errors';
import type { FetchMetrics } from '../../history/fetch-metrics';
import type { FetchLimits } from '../fetch-limits';

/** So many bytes of a document are progress; fewer may be a source that trickles for ever. */
const MIN_PROGRESS_BYTES = 1024 * 1024;
/** Limits are looked at so often while they run. */
const CHECKS_PER_LIMIT = 5;

interface ActiveDownload {
  progressAt: number;
  bytes: number;
  abort: (error: Error) => void;
}

/**
 * Watches whether a fetch moves. A source that has stopped answering, or trickles, cannot hold a connection for ever,
 * whatever its connector does about it: a document that does not come fails alone, a fetch that does not move fails as a
 * whole and is tried again later. Time is the machine's, not the calendar's.
 */
export class StallDetector {
  /** Aborted when the fetch as a whole is given up. */
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly downloads = new Set<ActiveDownload>();
  private progressAt = performance.now();

  constructor(
    private readonly limits: FetchLimits,
    private readonly metrics: FetchMetrics,
    private readonly integration: Integration,
  ) {
    this.signal = this.controller.signal;
  }

  /** The outcome of the fetch, unless it is given up before. */
  async guard<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    // Only now: a fetch that does not come to its beginning leaves no timer behind.
    const shortest = Math.min(this.limits.documentMs, this.limits.fetchMs);
    const timer = setInterval(() => this.checkDeadlines(), shortest / CHECKS_PER_LIMIT);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearInterval(timer);
      work.catch(() => undefined); // nobody waits for what was given up
    }
  }

  /** The connector, watched. */
  wrap(): Integration {
    const { integration } = this;
    return {
      ...integration,
      list: (...given) => this.pages(integration.list(...given)),
      open: (...given) => this.download(integration.open(...given)),
    };
  }

  private async *pages<Page>(listing: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of listing) {
      this.recordProgress();
      yield page;
      this.recordProgress(); // what was done with the page was not the source's doing
    }
  }

  private async download(opening: Promise<SourceDocument>): Promise<SourceDocument> {
    const { promise, reject } = Promise.withResolvers<never>();
    const reading: ActiveDownload = { progressAt: performance.now(), bytes: 0, abort: reject };
    this.downloads.add(reading);
    let source: SourceDocument;
    try {
      source = await Promise.race([opening, promise]);
    } catch (error) {
      this.downloads.delete(reading);
      // What comes too late is let go.
      opening.then(({ stream }) => stream.on('error', () => undefined).destroy()).catch(() => undefined);
      throw error;
    }
    const { stream } = source;
    reading.abort = (error) => stream.destroy(error);
    stream.once('close', () => {
      this.downloads.delete(reading);
      this.recordProgress();
    });
    // Counted where it is read anyway: another stream around each document would cost every document.
    const read = stream.read.bind(stream);
    stream.read = (size?: number): unknown => {
      const chunk: unknown = read(size);
      if (chunk !== null) this.countBytes(reading, (chunk as Buffer | string).length);
      return chunk;
    };
    return source;
  }

  private countBytes(reading: ActiveDownload, bytes: number): void {
    reading.bytes += bytes;
    if (reading.bytes < MIN_PROGRESS_BYTES) return;
    reading.bytes = 0;
    reading.progressAt = performance.now();
    this.recordProgress();
  }

  private recordProgress(): void {
    this.progressAt = performance.now();
  }

  private checkDeadlines(): void {
    const now = performance.now();
    for (const reading of [...this.downloads]) {
      if (now - reading.progressAt < this.limits.documentMs) continue;
      this.downloads.delete(reading);
      this.metrics.recordStall(this.integration.id, 'document');
      reading.abort(new Transient('A document has not moved on for minutes.'));
    }
    if (now - this.progressAt < this.limits.fetchMs || this.signal.aborted) return;
    this.metrics.recordStall(this.integration.id, 'fetch');
    this.controller.abort(new Transient('The source has not moved on for minutes.'));
  }
}
