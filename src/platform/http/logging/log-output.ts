import { destination, type DestinationStream } from 'pino';

/** Bytes of log lines that are written together, and the milliseconds after which they are written in any case. */
const WRITE_BYTES = 4096;
const WRITE_AFTER_MS = 200;

let output: DestinationStream | undefined;

/**
 * Standard output for log lines, one for all applications of the process. Several lines are written together, and the rest when the
 * process ends: a write per line takes 15 µs of processor time per request (`bench http-api`). A process that is killed loses
 * the lines of the last fifth of a second.
 */
export const logOutput = (): DestinationStream =>
  (output ??= destination({ sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_AFTER_MS }));
