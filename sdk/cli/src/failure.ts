import { DocfetchConnectionError, DocfetchError } from '../../typescript/dist/index.js';
import type { Messages } from './messages/en';

/** The exit statuses, which `--help` explains. */
export const EXIT = {
  OK: 0,
  FAILED: 1,
  USAGE: 2,
  NOT_ALLOWED: 3,
  UNREACHABLE: 4,
  NOT_FOUND: 5,
  INTERRUPTED: 130,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** An error whose message is complete for the user. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly exit: ExitStatus = EXIT.USAGE,
  ) {
    super(message);
  }
}

/** A failure as it is printed: `message` in the user's language, everything else stable. */
export interface Failure {
  readonly exit: ExitStatus;
  readonly code: string;
  readonly message: string;
  readonly request_id?: string | null;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

export function describeFailure(error: unknown, messages: Messages): Failure {
  if (error instanceof CommandError) return { exit: error.exit, code: error.code, message: error.message };
  if (error instanceof DocfetchConnectionError)
    return { exit: EXIT.UNREACHABLE, code: 'SERVICE_UNREACHABLE', message: messages.serviceUnreachable };
  if (error instanceof DocfetchError) return ofService(error, messages);
  const { message = String(error) } = error as Error;
  return { exit: EXIT.FAILED, code: 'FAILED', message };
}

function ofService(error: DocfetchError, messages: Messages): Failure {
  const { status, code, detail, requestId, retryAfter, errors } = error;
  const reasons = errors.map((each) => `${each.field}: ${each.message}`);
  const wait = retryAfter === null ? [] : [messages.retryIn(retryAfter)];
  const login = status === 401 ? [messages.loginAgain] : [];
  const message = [code === 'UNEXPECTED_ANSWER' ? messages.notDocfetch(status) : detail, ...reasons, ...wait, ...login];
  return { exit: exitOf(status), code, message: message.join(' '), request_id: requestId, errors };
}

function exitOf(status: number): ExitStatus {
  if (status === 401 || status === 403) return EXIT.NOT_ALLOWED;
  if (status === 404) return EXIT.NOT_FOUND;
  return status >= 500 ? EXIT.UNREACHABLE : EXIT.FAILED;
}
