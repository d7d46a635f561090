import { HttpException } from '@nestjs/common';
import type { Localized } from '../i18n/lang';

/** The five kinds of error body (spec 7, decisions 2). */
export type ErrorKind = 'unauthorized' | 'forbidden' | 'not_found' | 'validation' | 'internal';

/** What a sentence is filled with; a localised value is put in in the reader's language. */
export type Params = Readonly<Record<string, string | number | Localized>>;

/** One wrong input: `field` is its path in the body, or the name of the parameter; `code` is stable. */
export interface InvalidField {
  readonly field: string;
  readonly code: string;
  readonly params?: Params;
  /** The key of a sentence that says more than the code's own. */
  readonly sentence?: string;
  /** Of the server whose certificate or host key is not trusted (decisions 2). */
  readonly fingerprint?: string;
}

interface Details {
  readonly params?: Params;
  readonly errors?: readonly InvalidField[];
  readonly retryAfterSeconds?: number;
}

/** A refusal that the caller may read. Sentences are made from `code` in the caller's language by the filter. */
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

/** 500 that passes by itself: what we keep data in is away. */
export const unavailable = (code: string, retryAfterSeconds: number) =>
  new ApiError('internal', 500, code, { retryAfterSeconds });

/** 422 for wrong input: `MISSING_REQUIRED_FIELDS` when that is all that is wrong, else `VALIDATION_FAILED` (decisions 2). */
export function invalid(errors: readonly InvalidField[]): ApiError {
  const onlyMissing = errors.every((fault) => fault.code === 'REQUIRED');
  const code = onlyMissing ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED';
  return unprocessable(code, { errors, params: { count: errors.length } });
}
