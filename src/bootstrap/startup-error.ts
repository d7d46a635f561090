import { isDatabaseUnavailable } from '../platform/availability/database-unavailable';

/** Not found, not to be reached, not to be trusted, or closed to us: what is said of the one line that every door makes. */
const NO_LINE = /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|.*_CERT(_.*)?|UNABLE_TO_.*|28...|3D000)$/;

/** Why a door does not open, in one line for the operator, without a stack. */
export function startupError(thrown: unknown): string {
  const { code } = Object(thrown) as { code?: unknown };
  const said = messageOf(thrown).replace(/\s*\n\s*/g, ' ');
  return isDatabaseUnavailable(thrown) || (typeof code === 'string' && NO_LINE.test(code))
    ? `the database cannot be used: ${said}`
    : said;
}

/** Of a host with several addresses Node has one error for each, and of all of them none that says anything. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
