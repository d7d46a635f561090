import { isNativeError } from 'node:util/types';

/**
 * SQLSTATEs that are caused by the connection or the server, not by the statement: connection failure, shutdown, start-up, too
 * many connections, disk full, I/O error, idle timeout, read-only standby.
 */
const SQL_STATES = /^(08...|57P0[123]|53[13]00|58030|25P03|25006)$/;
/** Socket errors. Connectors report those of their sources as a `SourceError` without a code, so these are the database's. */
const SOCKET_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;
/** Errors that the driver throws without a code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/**
 * Whether an error means that the database is temporarily unavailable: it restarts, cannot write, or the connection was lost.
 * The operation can be retried and must not be attributed to the source or the client.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (SQL_STATES.test(code) || SOCKET_CODES.test(code))) return true;
  return DRIVER_MESSAGES.test(error.message);
}
