import { HttpException } from '@nestjs/common';
import type { Localized } from '../i18n/lang';

/** The five kinds of error body (spec 7, decisions 2). */
export type ErrorKind = 'unauthorized' | 'forbidden' | 'not_found' | 'validation' | 'internal';

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
}

/** An error that is shown to the caller. The filter translates `code` into the caller's language. */
export class ApiError extends HttpException {
  constructor(
    readonly kind: ErrorKind,
    status: number,
    readonly code: string,
    readonly details: Details = {},
  ) {
    super(code, status);
  }
}

export const unauthorized = (code: string, details?: Details) => new ApiError('unauthorized', 401, code, details);
export const forbidden = (code: string) => new ApiError('forbidden', 403, code);
export const notFound = (code: string) => new ApiError('not_found', 404, code);
export const notAllowed = (code: string) => new ApiError('validation', 405, code);
export const conflict = (code: string, details?: Details) => new ApiError('validation', 409, code, details);
export const tooLarge = (code: string, details?: Details) => new ApiError('validation', 413, code, details);
export const unsatisfiable = (code: string) => new ApiError('validation', 416, code);
export const unprocessable = (code: string, details?: Details) => new ApiError('validation', 422, code, details);
export const tooMany = (code: string, retryAfterSeconds: number) =>
  new ApiError('validation', 429, code, { retryAfterSeconds });

/** A temporary 500: the database or the bucket is unavailable. */
export const unavailable = (code: string, retryAfterSeconds: number) =>
  new ApiError('internal', 500, code, { retryAfterSeconds });

/** 422 for wrong input: `MISSING_REQUIRED_FIELDS` when all errors are missing fields, otherwise `VALIDATION_FAILED` (decisions 2). */
export function invalid(errors: readonly InvalidField[]): ApiError {
  const onlyMissing = errors.every((fault) => fault.code === 'REQUIRED');
  const code = onlyMissing ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED';
  return unprocessable(code, { errors, params: { count: errors.length } });
}
