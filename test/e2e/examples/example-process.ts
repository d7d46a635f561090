import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { eventually } from '../../harness/eventually';

/** An example's output about a processed document. */
export interface ProcessedDocument {
  readonly transaction_uuid: string;
  readonly sha256: string;
  readonly path: string;
}

const INTERPRETERS: Readonly<Record<string, string>> = { '.mjs': process.execPath, '.py': 'python3', '.php': 'php' };

/** Starts a script of `docs/examples/` with only the given environment variables. */
export function spawnExample(
  script: string,
  env: Record<string, string>,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(INTERPRETERS[extname(script)]!, [resolve(__dirname, '../../../docs/examples', script)], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A script of `docs/examples/` as a process. */
export class ExampleProcess {
  readonly lines: string[] = [];
  stderr = '';
  private readonly child: ReturnType<typeof spawnExample>;
  private readonly ended: Promise<unknown[]>;

  constructor(script: string, env: Record<string, string>) {
    this.child = spawnExample(script, env);
    createInterface(this.child.stdout).on('line', (line) => this.lines.push(line));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.child, 'close');
  }

  /** Resolves with the status, null after a signal. */
  async end(): Promise<number | null> {
    return (await this.ended)[0] as number | null;
  }

  /** Kills it immediately; does nothing when it has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** The URL at which it listens. */
  url(): Promise<string> {
    return eventually(() => {
      const address = this.lines.map((line) => /^Listening on (\S+)$/.exec(line)?.[1]).find(Boolean);
      if (!address && this.child.exitCode !== null) throw new Error(this.stderr);
      return Promise.resolve(address);
    }, 'the example listens');
  }

  /** The processed documents, with repetitions. */
  get processed(): ProcessedDocument[] {
    return this.jsonOutput.filter((entry): entry is ProcessedDocument => 'transaction_uuid' in entry);
  }

  /** Its JSON output lines. */
  get jsonOutput(): object[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
  }

  /** Resolves when it has processed `count` documents. */
  async waitForDocuments(count: number): Promise<ProcessedDocument[]> {
    await eventually(() => Promise.resolve(this.processed.length >= count), `${count} documents are worked on`);
    return this.processed;
  }
}

export const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

export const uuidsOf = (documents: readonly { transaction_uuid: string }[]): string[] =>
  documents.map(({ transaction_uuid }) => transaction_uuid).sort();
