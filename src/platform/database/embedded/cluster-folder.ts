import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile, readlink, realpath, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canAccess, defaultAccount, makeTraversable, ownerOf, type Account } from './account';
import { SHARED_FOLDER } from './binaries';
import { processIdentity, pidIfRunning } from './process-table';

/** A link in the configured folder to the folder that is used instead. */
const MOVED = 'moved-to';

/** The folder of one cluster, with its data, log and lock files. */
export interface ClusterFolder {
  readonly folder: string;
  /** PostgreSQL's own data directory; belongs to `account`. */
  readonly data: string;
  readonly log: string;
  readonly lock: string;
  /** Names the process that runs the cluster. */
  readonly owner: string;
  /** Null: PostgreSQL runs under this process's own account. */
  readonly account: Account | null;
}

/**
 * Finds or creates the folder of the cluster. When the process runs as root and PostgreSQL's account cannot access the folder
 * (a clone below /root), a folder below /var/lib/docfetch is used instead, which is reported in one line. A link in `dataDir`
 * refers to it, so that deleting `dataDir` also detaches its old data.
 */
export async function openClusterFolder(dataDir: string, print: (line: string) => void): Promise<ClusterFolder> {
  const wanted = resolve(dataDir);
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await makeTraversable(wanted);
  let folder = (await findMovedFolder(wanted)) ?? wanted;
  let account = await accountFor(folder);
  if (folder === wanted && account && !(await exists(join(wanted, 'data'))) && !(await canAccess(account, wanted))) {
    folder = await moveAway(wanted);
    print(`The account ${account.name} cannot reach ${wanted}: the database is kept in ${folder}.`);
    account = await accountFor(folder);
  }
  if (folder !== wanted) {
    await mkdir(folder, { recursive: true });
    await makeTraversable(dirname(folder));
    await makeTraversable(folder);
  }
  const real = await realpath(folder);
  await access(real, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw new Error(`The folder ${real} is not writable: choose another DATA_DIR or set DATABASE_URL.`, { cause });
  });
  return {
    folder: real,
    data: join(real, 'data'),
    log: join(real, 'postgres.log'),
    lock: join(real, 'start.lock'),
    owner: join(real, 'owner'),
    account,
  };
}

/** Records that this process runs the cluster. Called before PostgreSQL starts, so that it never runs without an owner. */
export async function claimOwnership(owner: string): Promise<void> {
  await writeFile(owner, processIdentity(process.pid) ?? '');
}

/** The pid of the process that runs the cluster; null when there is none or it has died. */
export async function findOwnerPid(owner: string): Promise<number | null> {
  try {
    return pidIfRunning(await readFile(owner, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Deletes a stopped cluster with all its data, also in another folder. For temporary clusters of tests. */
export async function deleteClusterFolder(dataDir: string): Promise<void> {
  const wanted = resolve(dataDir);
  const replacement = await findMovedFolder(wanted);
  const options = { recursive: true, force: true, maxRetries: 5 };
  if (replacement) await rm(replacement, options);
  await rm(wanted, options);
}

async function accountFor(folder: string): Promise<Account | null> {
  const data = join(folder, 'data');
  return ((await exists(data)) ? await ownerOf(data) : null) ?? (await defaultAccount());
}

async function findMovedFolder(wanted: string): Promise<string | null> {
  try {
    return await readlink(join(wanted, MOVED));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function moveAway(wanted: string): Promise<string> {
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(SHARED_FOLDER, `${hash}-${randomBytes(4).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    await symlink(folder, join(wanted, MOVED));
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process that is starting at the same moment was first.
    await rmdir(folder);
    return readlink(join(wanted, MOVED));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
