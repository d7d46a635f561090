import { isDatabaseUnavailable } from '../platform/availability/database-unavailable';

/** Errors of the database connection, the only connection of every entry point: unknown host, unreachable, untrusted, denied. */
const CONNECTION_ERRORS =
  /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|.*_CERT(_.*)?|UNABLE_TO_.*|28...|3D000)$/;

/** Why an entry point cannot start, in one line for the operator, without a stack. */
export function startupError(thrown: unknown): string {
  const { code } = Object(thrown) as { code?: unknown };
  const message = messageOf(thrown).replace(/\s*\n\s*/g, ' ');
  return isDatabaseUnavailable(thrown) || (typeof code === 'string' && CONNECTION_ERRORS.test(code))
    ? `the database cannot be used: ${message}`
    : message;
}

/** For a host with several addresses, Node throws an AggregateError without a useful message. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
