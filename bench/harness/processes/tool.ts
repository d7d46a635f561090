import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Usage } from './usage';

const LAST_WORDS = 2_000;

/** The duration and the CPU time of a run of a program, in milliseconds. */
export interface ToolRun {
  readonly ms: number;
  readonly cpu: number;
}

/** An external program for comparison. */
export class Tool {
  private constructor(readonly path: string) {}

  /** Throws with the package to install when it is missing. */
  static find(name: string, debianPackage: string): Tool {
    const path = (process.env.PATH ?? '')
      .split(':')
      .map((folder) => join(folder, name))
      .find((each) => existsSync(each));
    if (path) return new Tool(path);
    throw new Error(`This benchmark needs ${name}: apt-get update && apt-get install -y ${debianPackage}`);
  }

  /** Runs it to its end. Rejects with its last output on failure. Run one at a time, as child CPU times are summed. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ToolRun> {
    const children = new Usage(process.pid);
    const before = children.cpuOfEnded();
    const began = performance.now();
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(this.path, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (bytes: Buffer): void => void (output = (output + bytes.toString()).slice(-LAST_WORDS));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once('error', reject).once('exit', resolve);
    const code = await promise;
    const ms = performance.now() - began;
    if (code !== 0) throw new Error(`${this.path} ended with ${code}:\n${output}`);
    return { ms, cpu: children.cpuOfEnded() - before };
  }
}
