import { destination, type DestinationStream } from 'pino';

/** Bytes of log lines that are written together, and the milliseconds after which they are written in any case. */
const WRITE_BYTES = 4096;
const WRITE_AFTER_MS = 200;
/** Bytes of lines that wait while nothing reads the log. Further lines are lost: the process must not run out of memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

let output: DestinationStream | undefined;

/**
 * Standard output for log lines, one for all applications of the process. Several lines are written together, and the rest when the
 * process ends: a write per line takes 15 µs of processor time per request (`bench http-api`). A process that is killed loses
 * the lines of the last fifth of a second.
 */
export const logOutput = (): DestinationStream => (output ??= openLogOutput(process.stdout.fd));

/** Log lines to a file. Lines that are lost are counted in a line of their own as soon as lines are written again. */
export function openLogOutput(dest: number | string): ReturnType<typeof destination> {
  const opened = destination({
    dest,
    sync: false,
    minLength: WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: WRITE_AFTER_MS,
  });
  // A full disk, for example. The lines wait, and the next flush tries again: a log that cannot be written must not end the process.
  opened.on('error', () => undefined);
  let lost = 0;
  opened.on('drop', () => void (lost += 1));
  opened.on('drain', () => {
    if (lost === 0) return;
    const msg = `The log was not read in time: ${lost} lines were lost.`;
    lost = 0;
    opened.write(`${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, msg })}\n`);
  });
  return opened;
}
