import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { WeightedSemaphore } from '../../platform/concurrency/weighted-semaphore';
import { startThread } from '../../platform/threads/start-thread';
import type {
  ReadableResponse,
  RenditionResponse,
  ParserResponse,
  ParserRequest,
  ReadingOptions,
} from './parser-worker';

const MIB = 1024 * 1024;
/** What trying a password of a PDF may take: AES-256 (revision 6) makes it expensive on purpose. */
const PASSWORD_MS = 500;
/** After a larger document a worker is terminated, because it would keep that memory, for XML up to thirty times the size. */
const REUSE_UP_TO = { xml: MIB, readable: MIB, pdf: 8 * MIB, rendition: 8 * MIB } as const;

const ENTRY = join(__dirname, 'parser-worker');

/**
 * Worker threads that parse untrusted documents. PDF and XML parsers are synchronous: measured with the repository's samples, half
 * a megabyte of malicious PDF blocks a thread for 4.7 s and allocates 1.6 GB, and a regular 10 MB XML blocks it for 1.5 s. They
 * therefore run outside of the event loop, one document per worker, with a timeout and limits for heap and buffers. Pools such as
 * piscina cannot terminate a worker because of the document that it has read (`REUSE_UP_TO`).
 */
export class ParserWorkerPool {
  private readonly idle: Worker[] = [];
  private readonly slots: WeightedSemaphore;

  /** At most `size` workers, started on demand; `limitMs` is the timeout for one document. */
  constructor(
    size: number,
    private readonly limitMs: number,
  ) {
    this.slots = new WeightedSemaphore(size);
  }

  /**
   * Loads a document when a worker is free, so that no more documents than workers are in memory, and reads it there, with
   * `readsText` also the text layer of a PDF. Null when it has no metadata, is broken, or exceeds the time or memory limits.
   * Rejects with the error of `load`, and when no worker can be started.
   */
  async read(
    kind: 'xml' | 'pdf',
    load: () => Promise<Uint8Array | null>,
    { readsText = false, passwords = [] }: Partial<ReadingOptions> = {},
  ): Promise<ParserResponse> {
    return this.slots.run(async () => {
      const bytes = await load();
      return bytes && (await this.readInThread<ParserResponse>({ kind, bytes, readsText, passwords }));
    });
  }

  /** Whether a PDF is the rendition of an XML invoice (`isRenditionOf`), loaded like in `read`; false where `read` returns null. */
  async isRendition(
    invoice: Uint8Array,
    load: () => Promise<Uint8Array>,
    passwords: readonly string[] = [],
  ): Promise<boolean> {
    return this.slots.run(async () => {
      const bytes = await load();
      return (await this.readInThread<RenditionResponse>({ kind: 'rendition', bytes, invoice, passwords })) === true;
    });
  }

  /** The content of an XML invoice for people, loaded like in `read`; null where `read` returns null. */
  async readable(load: () => Promise<Uint8Array>): Promise<ReadableResponse> {
    return this.slots.run(async () => this.readInThread<ReadableResponse>({ kind: 'readable', bytes: await load() }));
  }

  /** Terminates the idle workers. Later reads start new ones. */
  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.terminate()));
  }

  private async readInThread<Answer>(request: ParserRequest): Promise<Answer | null> {
    const { kind, bytes } = request;
    const passwords = 'passwords' in request ? request.passwords : [];
    const limitMs = this.limitMs + passwords.length * PASSWORD_MS;
    const thread = this.idle.pop() ?? (await this.start());
    thread.ref();
    const own = new Uint8Array(bytes); // a copy, because the buffer is transferred to the worker
    try {
      const answered = once(thread, 'message', { signal: AbortSignal.timeout(limitMs) });
      thread.postMessage({ ...request, bytes: own } satisfies ParserRequest, [own.buffer]);
      const [answer] = (await answered) as [Answer];
      if (bytes.length > REUSE_UP_TO[kind]) await thread.terminate();
      else this.rest(thread);
      return answer;
    } catch {
      await thread.terminate(); // out of time or memory
      return null;
    }
  }

  /** An idle worker does not keep the process alive. */
  private rest(thread: Worker): void {
    thread.unref();
    this.idle.push(thread);
  }

  private async start(): Promise<Worker> {
    // A regular 10 MB XML needs up to 300 MB; a single string of 10 MB is the worst case.
    const thread = startThread(ENTRY, 'reading', { maxOldGenerationSizeMb: 384 });
    thread.on('error', () => undefined); // pending requests reject; an idle worker is only removed
    thread.on('exit', () => {
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    await once(thread, 'message');
    return thread;
  }
}

/** The pool of this process. Two workers, so that one slow document does not block all others. */
export const parserWorkerPool = new ParserWorkerPool(2, 5_000);
