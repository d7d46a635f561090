import { readFileSync, writeFileSync } from 'node:fs';

const MEBI = 1024 * 1024;
/** The unit of proc(5) for CPU time on every Linux that Node runs on (USER_HZ). */
const TICKS_A_SECOND = 100;

/** A process's resource usage from the kernel's counters (proc(5)), so nothing is lost between samples. */
export class Usage {
  constructor(private readonly pid: number) {}

  /** Resets the peak. Throws when the kernel does not permit it, because the peak would include the start. */
  resetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
  }

  /** MiB of resident memory, the highest since the last reset (VmHWM). */
  peak(): number {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(this.read('status'));
    if (!line) throw new Error(`/proc/${this.pid}/status has no VmHWM.`);
    return (Number(line[1]) * 1024) / MEBI;
  }

  /** CPU milliseconds of all threads since the start of the process. */
  cpu(): number {
    const { own } = this.times();
    return own;
  }

  /** As `cpu`, including all child processes, also those that have ended. */
  cpuOfFamily(): number {
    const { own, ended } = this.times();
    const children = this.read(`task/${this.pid}/children`).trim().split(' ').filter(Boolean);
    return own + ended + children.reduce((sum, pid) => sum + (new Usage(Number(pid)).cpuOrGone() ?? 0), 0);
  }

  /** The CPU time of the child processes that have ended, including their own children. */
  cpuOfEnded(): number {
    return this.times().ended;
  }

  private cpuOrGone(): number | null {
    try {
      return this.cpuOfFamily();
    } catch {
      return null; // it has ended in the meantime and is counted by its parent
    }
  }

  private times(): { own: number; ended: number } {
    // The second field is the program's name in parentheses; later fields are counted from its end.
    const fields = this.read('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    const sum = (a: number, b: number) => ((Number(fields[a]) + Number(fields[b])) * 1000) / TICKS_A_SECOND;
    return { own: sum(11, 12), ended: sum(13, 14) };
  }

  private read(file: string): string {
    return readFileSync(`/proc/${this.pid}/${file}`, 'utf8');
  }
}
