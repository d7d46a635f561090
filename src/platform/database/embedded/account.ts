import { execFile } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The operating system's account that PostgreSQL runs under when the service itself runs as root, which PostgreSQL refuses. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Working directory and environment of PostgreSQL's programs. They do not inherit the service's environment, which has secrets. */
export function spawnOptions(account: Account | null): {
  cwd: string;
  env: Record<string, string>;
  uid?: number;
  gid?: number;
} {
  const base = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  return account === null ? base : { ...base, uid: account.uid, gid: account.gid };
}

/** `postgres` if the account exists, otherwise `nobody`; null when this process is not root. Throws when neither exists. */
export async function defaultAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (uid && gid) return { name, uid, gid };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is neither an account postgres nor nobody: set DATABASE_URL.',
  );
}

/** The owner of an existing cluster, the only account that may run it; null when this process is not root or root owns it. */
export async function ownerOf(folder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(folder);
  return uid === 0 ? null : { name: String(uid), uid, gid };
}

/** Whether the account can access the folder. Tested with a real process, because ACLs and mounts also decide. */
export async function canAccess(account: Account, folder: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], spawnOptions(account));
    return true;
  } catch {
    return false;
  }
}

/** Lets every account traverse the folder, without letting it list the folder. */
export async function makeTraversable(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o111) !== 0o111) await chmod(folder, (mode & 0o7777) | 0o111);
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number> {
  try {
    const { stdout } = await run('id', [flag, name]);
    return Number(stdout.trim());
  } catch {
    return 0;
  }
}
