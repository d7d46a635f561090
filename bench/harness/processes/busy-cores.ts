import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps cores busy that would be idle, with endless loops of the lowest priority: where two cores share caches and execution units,
 * the same work takes more processor time while the other one is busy, so processor times are comparable only if that is always so.
 */
export class BusyCores implements Disposable {
  private readonly loops: readonly ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    spawn('nice', ['-n', '19', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  );

  [Symbol.dispose](): void {
    for (const loop of this.loops) loop.kill('SIGKILL');
  }
}
