import { HttpException } from '@nestjs/common';
import type { Localized } from '../i18n/lang';
import { type CodeOf, ERROR_STATUSES, type ErrorCode, type ErrorKind, kindOf } from './error-codes';

/** The values of a message's placeholders; a localized value is inserted in the reader's language. */
export type Params = Readonly<Record<string, string | number | Localized>>;

/** One wrong input: `field` is its path in the body, or the name of the parameter; `code` is stable. */
export interface InvalidField {
  readonly field: string;
  readonly code: string;
  readonly params?: Params;
  /** The key of a message that is more specific than the code's own. */
  readonly sentence?: string;
  /** The fingerprint of an untrusted certificate or host key (decisions 2). */
  readonly fingerprint?: string;
}

interface Details {
  readonly params?: Params;
  readonly errors?: readonly InvalidField[];
  readonly retryAfterSeconds?: number;
  /** What the code that throws has learned; never shown to the caller. */
  readonly cause?: unknown;
}

/** An error that is shown to the caller. The filter translates `code` into the caller's language. */
export class ApiError extends HttpException {
  readonly kind: ErrorKind;

  /** `status` differs from the table only for exceptions of the framework, which share the code `BAD_REQUEST`. */
  constructor(
    readonly code: ErrorCode,
    readonly details: Details = {},
    status: number = ERROR_STATUSES[code],
  ) {
    super(code, status, { cause: details.cause });
    this.kind = kindOf(status);
  }
}

/** The helpers accept only the codes of their status, so that the code that throws shows the status correctly. */
export const unauthorized = (code: CodeOf<401>, details?: Details) => new ApiError(code, details);
export const forbidden = (code: CodeOf<403>, details?: Details) => new ApiError(code, details);
export const notFound = (code: CodeOf<404>) => new ApiError(code);
export const conflict = (code: CodeOf<409>, details?: Details) => new ApiError(code, details);
export const unprocessable = (code: CodeOf<422>, details?: Details) => new ApiError(code, details);
export const tooMany = (code: CodeOf<429>, retryAfterSeconds: number) => new ApiError(code, { retryAfterSeconds });

/** 422 for wrong input: `MISSING_REQUIRED_FIELDS` when all errors are missing fields, otherwise `VALIDATION_FAILED` (decisions 2). */
export function invalid(errors: readonly InvalidField[]): ApiError {
  const onlyMissing = errors.every((error) => error.code === 'REQUIRED');
  const code = onlyMissing ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED';
  return unprocessable(code, { errors, params: { count: errors.length } });
}
