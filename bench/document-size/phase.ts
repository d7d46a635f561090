import { setTimeout as pause } from 'node:timers/promises';
import type { LargeDocument } from '../harness/data/large-document';
import type { Usage } from '../harness/processes/usage';

/** The idle time before a process's idle memory is read. */
const IDLE_MS = 3_000;

/** The cost of one phase for one document in one process. */
export interface Phase {
  /** Maximum resident MiB while idle. */
  readonly idle: number;
  /** Maximum resident MiB during the work. */
  readonly peak: number;
  /** Milliseconds of work. */
  readonly ms: number;
  /** CPU milliseconds. */
  readonly cpu: number;
}

/** Measures a process while idle and then during `work`, which resolves with its duration. */
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
