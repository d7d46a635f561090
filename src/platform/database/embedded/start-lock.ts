import { randomBytes } from 'node:crypto';
import { readlink, rename, symlink, unlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { processIdentity, pidIfRunning } from './process-table';

const RETRY_MS = 50;
const SEPARATOR = ' # ';

/**
 * Runs `work` under an exclusive lock on `path` between processes and between callers in this process, and waits for the lock
 * without a limit. The lock of a killed process is taken over.
 *
 * The lock is a symbolic link whose target names its holder: it is created atomically with its content. If two processes take
 * over the same dead lock at once, nothing breaks: the cluster is moved into place by an exclusive rename, and PostgreSQL
 * protects its own folder. The lock only prevents duplicate work.
 */
export async function withStartLock<T>(
  path: string,
  print: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const mine = `${processIdentity(process.pid)}${SEPARATOR}${randomBytes(6).toString('hex')}`;
  let isReported = false;
  while (!(await create(path, mine))) {
    const holder = await read(path);
    if (holder === null) continue;
    const pid = pidIfRunning(holder.split(SEPARATOR)[0] ?? '');
    if (pid === null) {
      await takeAway(path, holder);
      continue;
    }
    if (!isReported) print(`Waiting for process ${pid}, which is starting the database.`);
    isReported = true;
    await pause(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if ((await read(path)) === mine) await unlink(path);
  }
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    await symlink(content, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function read(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes the lock of a dead holder; a lock that another process has created in the meantime is put back. */
async function takeAway(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const renamed = await readlink(aside);
  if (renamed !== dead) await create(path, renamed);
  await unlink(aside);
}
