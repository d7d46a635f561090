import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService, SOURCES } from '../../e2e/start/built-service';

export interface PreviousVersion {
  readonly revision: string;
  /** The folder of the compiled service. */
  readonly build: string;
}

/**
 * The revision that an upgrade begins with: the last release (a tag such as `v1.2.0`), and before the first release the version
 * before the last migration was added. Null without the history of the repository.
 */
export function previousRevision(): string | null {
  const tag = git('describe', '--tags', '--match=v[0-9]*', '--abbrev=0', 'HEAD^');
  if (tag) return tag;
  // Not the last change: the text of a migration may be corrected later.
  const added = ['--diff-filter=A', '--no-renames', '--max-count=1', '--format=%H'];
  const last = git('log', '--first-parent', ...added, '--', 'migrations');
  return last ? git('rev-parse', '--verify', '--short', `${last}^`) : null;
}

/** Compiles the service of a revision, and installs its packages unless they are those of this one. */
export async function buildRevision(revision: string): Promise<PreviousVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-previous-'));
  try {
    const archive = execFileSync('git', [...SAFE, 'archive', revision, ...SOURCES, 'package.json', LOCK_FILE], {
      maxBuffer: 2 ** 30,
    });
    execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
    const build = await builtService(folder);
    if (!readFileSync(join(folder, LOCK_FILE)).equals(readFileSync(LOCK_FILE))) installPackages(folder, build);
    return { revision, build };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LOCK_FILE = 'package-lock.json';
/** What runs needs neither the packages for development nor the Node that is one of the optional packages. */
const INSTALL = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline'];

/** Node looks for packages beside the build first. The build is kept, and with it its packages. */
function installPackages(folder: string, build: string): void {
  const installed = join(build, 'node_modules');
  if (existsSync(installed)) return;
  execFileSync('npm', INSTALL, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const unfinished = mkdtempSync(join(build, 'unfinished-'));
  cpSync(join(folder, 'node_modules'), unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, installed);
}

// The checkout may belong to another user.
const SAFE = ['-c', 'safe.directory=*'];

function git(...args: string[]): string | null {
  try {
    const run = execFileSync('git', [...SAFE, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return run.trim() || null;
  } catch {
    return null; // no git, no repository, or no such revision
  }
}
