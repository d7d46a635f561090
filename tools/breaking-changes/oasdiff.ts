import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutWebhooks, type Document } from './webhooks';

/** A change as oasdiff reports it (`--format json`); the level is 1 (information), 2 (warning) or 3 (error). */
export interface Change {
  readonly id: string;
  readonly text: string;
  readonly level: 1 | 2 | 3;
  readonly operation?: string;
  readonly path?: string;
}

/** The lowest level of a change that can break clients. */
export const WARNING = 2;

const FOLDER = join('tools', 'breaking-changes');
const NEEDS_GO =
  'The comparison needs Go 1.26 or newer (https://go.dev/dl/): it builds oasdiff in the version of go.mod.';

/**
 * Compares two versions of the OpenAPI document with oasdiff (https://www.oasdiff.com), which Go builds from the sources that
 * `go.sum` pins. Severities that differ from its defaults are in `severity-levels.txt`.
 *
 * @throws Error if Go is missing, or one of the documents is not valid
 */
export function compare(command: 'breaking' | 'changelog', base: Document, revision: Document): Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'breaking-changes-'));
  try {
    const files = Object.entries({ base, revision }).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(withoutWebhooks(document)));
      return file;
    });
    return JSON.parse(oasdiff([command, ...files]) || '[]') as Change[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function oasdiff(args: readonly string[]): string {
  const options = ['--format', 'json', '--flatten-allof', '--severity-levels', 'severity-levels.txt'];
  const run = spawnSync('go', ['tool', 'oasdiff', ...args, ...options], {
    cwd: FOLDER,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (run.error) throw new Error(NEEDS_GO, { cause: run.error });
  if (run.status !== 0) throw new Error(`oasdiff failed: ${run.stderr.trim()}\n${NEEDS_GO}`);
  return run.stdout;
}
