import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Input } from '../../sdk/cli/src/context';
import { runClient } from '../../sdk/cli/src/run';

/** Collects what is written. */
export class TextOutput extends Writable {
  text = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  /** The JSON objects, one per line. */
  get objects(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** A running command. */
export interface RunningClient {
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  /** Like keys on the terminal, or bytes on standard input. */
  press(keys: string): void;
  /** Ends standard input. */
  end(text: string): void;
  /** Like Ctrl+C. */
  stop(): void;
  readonly exited: Promise<number>;
}

export interface ClientUser {
  readonly configFolder: string;
  start(args: readonly string[], options?: { env?: NodeJS.ProcessEnv; terminal?: boolean }): RunningClient;
  run(
    args: readonly string[],
    options?: { env?: NodeJS.ProcessEnv; input?: string },
  ): Promise<{ status: number; stdout: string; stderr: string; objects: Record<string, unknown>[] }>;
}

/** A user of `docfetch-client` with a configuration folder of their own, which is removed at the end of the file. */
export function useClientUser(): ClientUser {
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-client-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start: ClientUser['start'] = (args, { env = {}, terminal = false } = {}) => {
    const [stdout, stderr, stdin] = [new TextOutput(), new TextOutput(), new PassThrough()];
    const input: Input = Object.assign(stdin, terminal ? { isTTY: true, setRawMode: () => undefined } : {});
    const stopped = new AbortController();
    const exited = runClient(args, {
      ...{ stdin: input, stdout, stderr, home: folder, platform: 'linux' as const, signal: stopped.signal },
      env: { DOCFETCH_CONFIG_DIR: folder, DOCFETCH_LANG: 'en', ...env },
    });
    const end = (text: string) => void stdin.end(text);
    return { stdout, stderr, end, press: (keys) => void stdin.write(keys), stop: () => stopped.abort(), exited };
  };
  return {
    configFolder: folder,
    start,
    async run(args, { env, input = '' } = {}) {
      const { stdout, stderr, end, exited } = start(args, { env });
      end(input);
      const status = await exited;
      return { status, stdout: stdout.text, stderr: stderr.text, objects: stdout.objects };
    },
  };
}
