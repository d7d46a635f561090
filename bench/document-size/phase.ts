import { setTimeout as pause } from 'node:timers/promises';
import type { LargeDocument } from '../harness/data/large-document';
import type { Usage } from '../harness/processes/usage';

/** So long a process is left alone before its idle memory is read. */
const IDLE_MS = 3_000;

/** What one process took to do one thing to one document. */
export interface Phase {
  /** MiB resident at most while it had nothing to do. */
  readonly idle: number;
  /** MiB resident at most while it worked. */
  readonly peak: number;
  /** Milliseconds of work. */
  readonly ms: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
}

/** Measures a process at rest and then at work; `work` resolves with how long it took. */
export async function phaseOf(usage: Usage, work: () => Promise<number>): Promise<Phase> {
  usage.resetPeak();
  await pause(IDLE_MS);
  const idle = usage.peak();
  const cpu = usage.cpu();
  usage.resetPeak();
  const ms = await work();
  return { idle, peak: usage.peak(), ms, cpu: usage.cpu() - cpu };
}

/** Throws when the bytes are not the document's. */
export function same(sha256: string | undefined, document: LargeDocument, what: string): void {
  if (sha256 !== document.sha256) throw new Error(`${what} is not the document of ${document.size} bytes.`);
}
