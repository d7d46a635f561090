import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * One life of one process, as text: the pid alone is not enough, because pids are given out again (in a container even
 * the same ones at every start).
 */
export function processIdentity(pid: number): string | null {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === null ? null : `${pid} ${startedAt}`;
}

/** The pid of a text made by `processIdentity` when that very process still runs, otherwise null. */
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
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  if (state === 'Z' || state === 'X') return null;
  // Ticks since boot say nothing about another boot.
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
