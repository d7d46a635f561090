import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** The time limit for a process to end before it is killed. */
const STOP_MS = 20_000;
const NOTICE_MS = 500;
/** Loaded into each process, which then ends with the demo even if the demo is killed. Its worker threads load it too, without a channel. */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  "if (process.channel) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')).channel.unref();",
)}`;

/**
 * A Node process of the demo. It has its own process group, so that Ctrl-C reaches only the demo, which then stops
 * its processes in order.
 */
export class Child {
  private readonly process: ChildProcess;
  /** Resolves with the reason when it has ended: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>;

  constructor(
    script: string,
    options: { env: NodeJS.ProcessEnv; stdout: number | 'pipe'; stderr: 'pipe'; args?: readonly string[] },
  ) {
    const { env, stdout, stderr, args = [] } = options;
    this.process = spawn(process.execPath, ['--import', END_WITH_PARENT, script, ...args], {
      env,
      stdio: ['ignore', stdout, stderr, 'ipc'],
      detached: true,
    });
    this.ended = new Promise((resolve) => {
      this.process.once('error', (error) => resolve(error.message));
      this.process.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
  }

  get stdout(): Readable {
    return this.process.stdout!;
  }

  get stderr(): Readable {
    return this.process.stderr!;
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null && this.process.pid !== undefined;
  }

  /** The reason for its end, or undefined while it runs. Waits briefly: a closed connection is detected before its process has ended. */
  end(): Promise<string | undefined> {
    return Promise.race([this.ended, pause(NOTICE_MS, undefined)]);
  }

  /** Sends SIGTERM and waits; kills the process after a time limit. Returns whether it ended in time. */
  async stop(): Promise<boolean> {
    if (!this.running) return true;
    let killed = false;
    const timer = setTimeout(() => {
      killed = true;
      this.kill();
    }, STOP_MS);
    const exit = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await exit;
    clearTimeout(timer);
    return !killed;
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
