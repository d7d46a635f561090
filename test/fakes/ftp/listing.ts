import type { Attributes } from '../sftp/file-system';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The server's UTC offset. */
const ZONE_HOURS = 2;
const HALF_A_YEAR_MS = 182 * 86_400_000;

/** A line of RFC 3659 section 7. */
export function mlsdLine(name: string, { mode, size, mtime }: Attributes): string {
  const type = { 0o040000: 'dir', 0o120000: 'OS.unix=symlink' }[mode & 0o170000] ?? 'file';
  return `type=${type};${type === 'file' ? `size=${size};` : ''}modify=${timestamp(mtime)}; ${name}`;
}

/** A line of `ls -l`, in the time zone of the server. */
export function listLine(name: string, { mode, size, mtime }: Attributes): string {
  const local = new Date(mtime * 1000 + ZONE_HOURS * 3_600_000);
  const isRecent = Date.now() - mtime * 1000 < HALF_A_YEAR_MS;
  const time = `${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())}`;
  const when = `${MONTHS[local.getUTCMonth()]} ${String(local.getUTCDate()).padStart(2)} ${isRecent ? time : ` ${local.getUTCFullYear()}`}`;
  const kind = { 0o040000: 'd', 0o120000: 'l' }[mode & 0o170000] ?? '-';
  return `${kind}rw-r--r--    1 ftp      ftp      ${String(size).padStart(8)} ${when} ${name}`;
}

/** `YYYYMMDDHHMMSS` in UTC, from seconds since 1970. */
export function timestamp(mtime: number): string {
  return new Date(mtime * 1000)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:T]/g, '');
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
