import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawnOptions } from './account';
import type { Binaries } from './binaries';
import type { ClusterFolder } from './cluster-folder';

const run = promisify(execFile);

export const SUPERUSER = 'docfetch';
const UNFINISHED = 'initdb-';
const PASSWORD = 'docfetch-password';

/**
 * Creates the cluster if it does not exist. It is built in a temporary folder and renamed, so that a crash leaves either no
 * cluster or a complete one. Throws when an existing cluster belongs to another major version of PostgreSQL.
 */
export async function ensureCluster(
  home: ClusterFolder,
  binaries: Binaries,
  durable: boolean,
  print: (line: string) => void,
): Promise<void> {
  const major = await majorOf(home.data);
  if (major !== null) {
    if (major === binaries.major) return;
    throw new Error(
      `The database in ${home.data} was made by PostgreSQL ${major}; the installed programs are ${binaries.major}: ` +
        'move it by dump and restore, or set DATABASE_URL.',
    );
  }
  await removeUnfinished(home);
  print(`Creating the database in ${home.folder}.`);
  const workshop = await mkdtemp(join(home.folder, UNFINISHED));
  try {
    await moveIntoPlace(await build(workshop, home, binaries, durable), home.data);
    if (durable) await syncFolder(home.folder);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** The superuser's password. Throws an error of one line when this process's account may not read it. */
export async function readPassword(home: ClusterFolder): Promise<string> {
  try {
    return await readFile(join(home.data, PASSWORD), 'utf8');
  } catch (cause) {
    throw foreign(home.data, cause);
  }
}

function foreign(data: string, cause: unknown): Error {
  return new Error(
    `The database in ${data} cannot be read by this account (${(cause as NodeJS.ErrnoException).code}): ` +
      'start with the account it was made with, choose another DATA_DIR or set DATABASE_URL.',
    { cause },
  );
}

async function build(workshop: string, home: ClusterFolder, binaries: Binaries, durable: boolean): Promise<string> {
  const data = join(workshop, 'data');
  const passwordFile = join(workshop, PASSWORD);
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (home.account) {
    for (const path of [workshop, data, passwordFile]) await chown(path, home.account.uid, home.account.gid);
  }
  const options = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(binaries.initdb, options, spawnOptions(home.account));
  } catch (cause) {
    const reason = (cause as { stderr?: string }).stderr?.trim() || (cause as Error).message;
    throw new Error(`The database could not be created in ${home.folder}: ${reason}`, { cause });
  }
  await rename(passwordFile, join(data, PASSWORD));
  return data;
}

async function moveIntoPlace(built: string, data: string): Promise<void> {
  try {
    await rename(built, data);
  } catch (error) {
    const lostTheRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!lostTheRace || (await majorOf(data)) === null) throw error;
  }
}

async function majorOf(data: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(data, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw foreign(data, error);
  }
}

async function removeUnfinished(home: ClusterFolder): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A rename is durable only after its folder has been synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
