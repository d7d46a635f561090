import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../../harness/eventually';
import { environmentThroughPooler } from '../../setup/poolers';
import { builtService } from './built-service';

export type EntryPoint = 'main' | 'cli' | 'migrate';

export interface ProcessExit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the built service, or of another `build`, with only the given environment variables. */
export class ServiceProcess {
  stdout = '';
  stderr = '';
  private readonly ended: Promise<ProcessExit>;

  private constructor(readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(child, 'close').then(([status, signal]) => ({
      status: status as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  static async start(
    entryPoint: EntryPoint,
    env: Record<string, string>,
    args: string[] = [],
    nodeArgs: string[] = [],
    build?: string,
    /** A command that becomes the process, in another network for example. */
    wrapper: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const script = join(build ?? (await builtService()), 'src', `${entryPoint}.js`);
    const [program, ...more] = [...wrapper, process.execPath, ...nodeArgs, script, ...args];
    const child = spawn(program!, more, {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...environmentThroughPooler(env) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** Runs a process to its end, with `input` on standard input. */
  static async run(
    entryPoint: EntryPoint,
    env: Record<string, string>,
    args: string[] = [],
    input = '',
    build?: string,
  ): Promise<ProcessExit> {
    const process = await ServiceProcess.start(entryPoint, env, args, [], build);
    process.child.stdin!.end(input);
    return process.end();
  }

  end(): Promise<ProcessExit> {
    return this.ended;
  }

  /** Resolves when the process reports that it is ready; rejects with its output when it ends. */
  async ready(): Promise<this> {
    const gone = this.ended.then(({ status, stderr }) => {
      throw new Error(`The service ended with ${status}: ${stderr}`);
    });
    await Promise.race([
      gone,
      eventually(() => Promise.resolve(this.stdout.includes('Docfetch is ready')), 'the service is ready', 180_000),
    ]);
    return this;
  }

  /** Sends a signal and resolves when the process has ended. */
  async kill(signal: NodeJS.Signals): Promise<ProcessExit> {
    this.child.kill(signal);
    return this.ended;
  }
}
