import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The first of these programs that is installed. Throws with the package to install when none is. */
export function installed(paths: readonly string[], packages: string): string {
  const found = paths.find((path) => existsSync(path));
  if (!found)
    throw new Error(
      `A server is not installed. The interop suites need it: apt-get update && apt-get install -y ${packages}`,
    );
  return found;
}

/** A server that runs in the foreground and logs to standard error. */
export class ServerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when `isReady` is true for a line of output, or at once without it; rejects with the output when the server exits. */
  static async start(
    command: string,
    args: readonly string[],
    isReady: ((line: string) => boolean) | null,
    env: Readonly<Record<string, string>> = {},
    account: { readonly uid?: number; readonly gid?: number } = {},
  ): Promise<ServerProcess> {
    const { uid, gid } = account;
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    });
    const output: string[] = [];
    await new Promise<void>((resolve, reject) => {
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on('line', (line) => {
          if (output.length < 200) output.push(line);
          if (isReady?.(line)) resolve();
        });
      }
      if (!isReady) child.once('spawn', resolve);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${output.join('\n')}`)));
    });
    return new ServerProcess(child);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
