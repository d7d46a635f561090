import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Tool } from '../harness/processes/tool';
import type { Usage } from '../harness/processes/usage';

const run = promisify(execFile);
const SCRIPT = join(process.cwd(), 'bench', 'http-api', 'wrk.lua');

export const CONNECTIONS = 50;
/** Seconds of one measurement. */
export const SECONDS = 2;

/** The requests of one measurement: the paths are requested in rotation. */
export interface Load {
  readonly base: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** Whether the responses are to have a status of 4xx, such as 429. */
  readonly refused: boolean;
}

export interface LoadRate {
  readonly aSecond: number;
  /** Microseconds of processor time of the server per request. */
  readonly cpu: number;
}

/** wrk, with 50 connections, as a process of its own. */
export class Wrk {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
  ) {}

  /** Keeps its files in `folder`. @throws Error when it is not installed */
  static find(folder: string): Wrk {
    return new Wrk(Tool.find('wrk', 'wrk').path, folder);
  }

  /** Requests as fast as responses arrive. Rejects when one of them is not the expected one. */
  async load(usage: Usage, { base, method, headers, paths, refused }: Load): Promise<LoadRate> {
    const file = join(this.folder, 'paths');
    await writeFile(file, paths.join('\n'));
    const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const before = usage.cpu();
    const { stdout } = await run(this.program, [
      ...['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--timeout', '30s', '-s', SCRIPT, ...given],
      ...[base, '--', file, method],
    ]);
    const cpu = usage.cpu() - before;
    const counts = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<
      'requests' | 'micros' | 'refused' | 'broken',
      number
    >;
    if (counts.requests === 0 || counts.broken > 0 || counts.refused !== (refused ? counts.requests : 0)) {
      throw new Error(`${method} ${base}${paths[0]}: unexpected responses\n${stdout}`);
    }
    return { aSecond: (counts.requests * 1e6) / counts.micros, cpu: (cpu * 1000) / counts.requests };
  }
}
