import { readFileSync } from 'node:fs';

/** Tells all child processes of this one to end: servers that a benchmark has started do not outlive it when it is stopped half-way. */
export function endChildren(): void {
  for (const pid of childrenOf(process.pid)) {
    try {
      process.kill(pid);
    } catch {
      // It has ended by itself.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // not Linux
  }
}
