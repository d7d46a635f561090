import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/threads/start-thread';
import type { RenditionResponse, ParserResponse, ParserRequest } from '../e-invoice/parser-worker';

const MIB = 1024 * 1024;
/** After a larger document a thread is not used again: it would hold on to that much memory, XML to thirty times as much. */
const KEEP_UP_TO = { xml: MIB, pdf: 8 * MIB, picture: 8 * MIB } as const;

const ENTRY = join(__dirname, '..', 'e-invoice', 'parser-worker');

/**
 * Threads that read what others wrote. PDF and XML parsers are synchronous: measured on this code's own samples, half a
 * megabyte of hostile PDF holds a thread for 4.7 s and takes 1.6 GB, and an honest 10 MB XML holds it for 1.5 s. So
 * they run beside the event loop, one document per thread, ended when time is up; heap and buffers are bounded.
 */
export class ParserWorkerPool {
  private readonly idle: Worker[] = [];
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** At most `size` threads, started when they are first needed; `limitMs` is the longest time for one document. */
  constructor(
    private readonly size: number,
    private readonly limitMs: number,
  ) {}

  /**
   * Loads a document when a thread is free, so that no more documents than threads are in memory, and reads it there.
   * Null when it says nothing about itself, is broken, or takes too long or too much. Rejects with the error of `load`,
   * and when no thread can be started.
   */
  async read(kind: 'xml' | 'pdf', load: () => Promise<Uint8Array | null>): Promise<ParserResponse> {
    return this.inTurn(async () => {
      const bytes = await load();
      return bytes && (await this.readInThread<ParserResponse>({ kind, bytes }));
    });
  }

  /** Whether a PDF is the picture of an XML invoice (`isRenditionOf`), loaded like `read`'s; false where `read` answers null. */
  async isPicture(invoice: Uint8Array, load: () => Promise<Uint8Array>): Promise<boolean> {
    return this.inTurn(async () => {
      const bytes = await load();
      return (await this.readInThread<RenditionResponse>({ kind: 'picture', bytes, invoice })) === true;
    });
  }

  /** Ends the idle threads. Later reads start new ones. */
  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.terminate()));
  }

  private async inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.running >= this.size) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private async readInThread<Answer>(request: ParserRequest): Promise<Answer | null> {
    const { kind, bytes } = request;
    const thread = this.idle.pop() ?? (await this.start());
    thread.ref();
    const own = new Uint8Array(bytes); // the caller's buffer stays the caller's
    try {
      const answered = once(thread, 'message', { signal: AbortSignal.timeout(this.limitMs) });
      thread.postMessage({ ...request, bytes: own } satisfies ParserRequest, [own.buffer]);
      const [answer] = (await answered) as [Answer];
      if (bytes.length > KEEP_UP_TO[kind]) await thread.terminate();
      else this.rest(thread);
      return answer;
    } catch {
      await thread.terminate(); // out of time or memory
      return null;
    }
  }

  /** An idle thread keeps no process alive. */
  private rest(thread: Worker): void {
    thread.unref();
    this.idle.push(thread);
  }

  private async start(): Promise<Worker> {
    // An honest 10 MB of XML needs up to 300 MB: one character string of 10 MB is the worst.
    const thread = startThread(ENTRY, 'reading', { maxOldGenerationSizeMb: 384 });
    thread.on('error', () => undefined); // whoever waits for it hears it; an idle one is only forgotten
    thread.on('exit', () => {
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    await once(thread, 'message');
    return thread;
  }
}

/** Those of this process. Two, so that one slow document does not hold up all others. */
export const parserWorkerPool = new ParserWorkerPool(2, 5_000);
