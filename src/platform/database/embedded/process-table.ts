import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a running process by pid and start time: the pid alone is not enough, because pids are reused (in a container even
 * at every start). Null when the process does not run.
 */
export function processIdentity(pid: number): string | null {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === null ? null : `${pid} ${startedAt}`;
}

/** The pid of an identity made by `processIdentity` while that process is running, otherwise null. */
export function pidIfRunning(claim: string): number | null {
  const pid = Number.parseInt(claim, 10);
  return pid > 0 && processIdentity(pid) === claim ? pid : null;
}

/** The command line of a process, null when it does not run (a zombie does not) or may not be seen. */
export function commandOf(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'args=');
  const command = readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  return command ? command : null;
}

function startOnLinux(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  if (state === 'Z' || state === 'X') return null;
  // The start time counts ticks since boot, so the boot id is needed as well.
  return `${fields[19]} ${readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`;
}

function startByPs(pid: number): string | null {
  const line = ps(pid, 'stat=,lstart=');
  if (line === null) return null;
  const [state, ...started] = line.split(/\s+/);
  return state?.startsWith('Z') ? null : started.join(' ');
}

function ps(pid: number, columns: string): string | null {
  try {
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync('ps', ['-ww', '-o', columns, '-p', String(pid)], { encoding: 'utf8', env }).trim() || null;
  } catch {
    return null;
  }
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
