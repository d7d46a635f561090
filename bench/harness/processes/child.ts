import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { Usage } from './usage';

const STOP_MS = 20_000;

/** A Node process that is measured. It ends with the benchmark, unless that is ended by SIGKILL. */
export class Child implements AsyncDisposable {
  readonly usage: Usage;
  private readonly kill = () => this.process.kill('SIGKILL');

  private constructor(private readonly process: ChildProcess) {
    this.usage = new Usage(process.pid!);
    process.on('error', () => undefined); // the process ends, and pending promises are rejected
    globalThis.process.once('exit', this.kill);
  }

  /** Starts a compiled script with only these settings; `options` are Node's. Its output goes to an open file, by default to standard error. */
  static start(
    script: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    options: readonly string[] = [],
    output?: number,
  ): Child {
    const { PATH = '', HOME = '' } = process.env;
    const how: ForkOptions = {
      env: { PATH, HOME, ...env },
      execArgv: [...options],
      stdio: ['ignore', output ?? process.stderr, 'inherit', 'ipc'],
    };
    return new Child(fork(script, args, how));
  }

  /** The exit status, or null while it runs. */
  get end(): string | null {
    const { exitCode, signalCode } = this.process;
    if (signalCode !== null) return `signal ${signalCode}`;
    return exitCode === null ? null : `exit code ${exitCode}`;
  }

  /** Sends a message and resolves with the next response. Rejects when the process ends instead. */
  ask<T>(message: object | string): Promise<T> {
    const answer = this.nextMessage<T>();
    this.process.send(message);
    return answer;
  }

  /** Resolves with the next message. Rejects when the process ends instead. */
  async nextMessage<T>(): Promise<T> {
    const over = new AbortController();
    const ended = once(this.process, 'exit', { signal: over.signal }).then(() => {
      throw new Error(`The process has ended without an answer (${this.end}).`);
    });
    const answered = once(this.process, 'message', { signal: over.signal });
    try {
      return (await Promise.race([answered, ended]))[0] as T;
    } finally {
      over.abort();
      await Promise.allSettled([answered, ended]);
    }
  }

  /** Sends a signal, such as SIGSTOP and SIGCONT. */
  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** Requests its end and waits; kills it after a time limit. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = setTimeout(this.kill, STOP_MS);
    if (this.end === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await exit;
    }
    clearTimeout(late);
    globalThis.process.off('exit', this.kill);
  }
}
