import { readFileSync } from 'node:fs';

/** Ends all child processes, so that servers do not outlive an interrupted benchmark. */
export function endChildren(): void {
  for (const pid of childrenOf(process.pid)) {
    try {
      process.kill(pid);
    } catch {
      // It has already ended.
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
