import type { Integration } from '../../../integrations/core/integration';
import type { SourceDocument } from '../../../integrations/core/source-document';
import { Transient } from '../../../integrations/core/source-errors';
import { abortable } from '../../../platform/concurrency/cancellation';
import type { FetchMetrics } from '../../history/fetch-metrics';
import type { FetchLimits } from '../fetch-limits';

/** A download that receives less than this within `documentMs` counts as stalled. */
const MIN_PROGRESS_BYTES = 1024 * 1024;
/** How often each limit is checked within its duration. */
const CHECKS_PER_LIMIT = 5;

interface ActiveDownload {
  progressAt: number;
  bytes: number;
  abort: (error: Error) => void;
}

/**
 * Aborts a fetch, or one of its downloads, that makes no progress within its time limit, whatever the connector does: a stalled
 * download fails alone, a stalled fetch fails as a whole and is retried later. Uses the monotonic clock.
 */
export class StallDetector {
  /** Aborted when the whole fetch has stalled. */
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

  /** Resolves or rejects as `work`; rejects with `Transient` when the fetch stalls before. */
  async guard<T>(work: Promise<T>): Promise<T> {
    // Started only now: a fetch that fails before leaves no timer behind.
    const shortest = Math.min(this.limits.documentMs, this.limits.fetchMs);
    const timer = setInterval(() => this.checkDeadlines(), shortest / CHECKS_PER_LIMIT);
    try {
      return await abortable(work, this.signal);
    } finally {
      clearInterval(timer);
    }
  }

  /** The connector with every page and download observed. */
  wrap(): Integration {
    const { integration } = this;
    return {
      ...integration,
      list: (...given) => this.pages(integration.list(...given)),
      download: (...given) => this.download(integration.download(...given)),
    };
  }

  private async *pages<Page>(listing: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of listing) {
      this.recordProgress();
      yield page;
      this.recordProgress(); // processing the page does not count as waiting for the source
    }
  }

  private async download(opening: Promise<SourceDocument>): Promise<SourceDocument> {
    const { promise, reject } = Promise.withResolvers<never>();
    const active: ActiveDownload = { progressAt: performance.now(), bytes: 0, abort: reject };
    this.downloads.add(active);
    let source: SourceDocument;
    try {
      source = await Promise.race([opening, promise]);
    } catch (error) {
      this.downloads.delete(active);
      // Destroys a download that opens too late.
      opening.then(({ stream }) => stream.on('error', () => undefined).destroy()).catch(() => undefined);
      throw error;
    }
    const { stream } = source;
    active.abort = (error) => stream.destroy(error);
    stream.once('close', () => {
      this.downloads.delete(active);
      this.recordProgress();
    });
    // Counts in `read` instead of a transform stream, which would slow down every document.
    const read = stream.read.bind(stream);
    stream.read = (size?: number): unknown => {
      const chunk: unknown = read(size);
      if (chunk !== null) this.countBytes(active, (chunk as Buffer | string).length);
      return chunk;
    };
    return source;
  }

  private countBytes(active: ActiveDownload, bytes: number): void {
    active.bytes += bytes;
    if (active.bytes < MIN_PROGRESS_BYTES) return;
    active.bytes = 0;
    active.progressAt = performance.now();
    this.recordProgress();
  }

  private recordProgress(): void {
    this.progressAt = performance.now();
  }

  private checkDeadlines(): void {
    const now = performance.now();
    for (const active of [...this.downloads]) {
      if (now - active.progressAt < this.limits.documentMs) continue;
      this.downloads.delete(active);
      this.metrics.recordStall(this.integration.id, 'document');
      active.abort(new Transient('The download of a document made no progress within its time limit.'));
    }
    if (now - this.progressAt < this.limits.fetchMs || this.signal.aborted) return;
    this.metrics.recordStall(this.integration.id, 'fetch');
    this.controller.abort(new Transient('The source made no progress within the time limit.'));
  }
}
