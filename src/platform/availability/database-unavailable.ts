import { isNativeError } from 'node:util/types';

/**
 * SQLSTATE that speaks of the line or the server, not of the statement: broken, shutting down, starting, no room for more
 * connections or on its disk, a disk that fails, timed out, a standby that takes no writes.
 */
const STATES = /^(08...|57P0[123]|53[13]00|58030|25P03|25006)$/;
/** The line could not be made, or broke. Connectors say such a thing of their sources as a `SourceError`, without a code. */
const SOCKETS = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;
/** What the driver says without any code. */
const SENTENCES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/**
 * Whether an error says that the database is not there at the moment: it restarts, cannot write, or the line to it broke. What was
 * being done may be tried again, and nobody else is to blame for it.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (STATES.test(code) || SOCKETS.test(code))) return true;
  return SENTENCES.test(error.message);
}
