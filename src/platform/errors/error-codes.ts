/**
 * Every error code with its HTTP status (decisions 2). This is the only place that states it: the errors that are thrown, the
 * API document and the error reference derive it from here.
 */
export const ERROR_STATUSES = {
  BAD_REQUEST: 400,
  MISSING_CREDENTIALS: 401,
  INVALID_API_KEY: 401,
  INVALID_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  INVALID_SESSION: 401,
  INVALID_CONSOLE_LINK: 401,
  NOT_YOUR_CONNECTION: 403,
  NOT_YOUR_IDENTITY: 403,
  NOT_YOUR_TRANSACTION: 403,
  NOT_YOUR_WEBHOOK: 403,
  NOT_YOUR_EVENT: 403,
  NOT_YOUR_API_KEY: 403,
  NOT_ALLOWED_BY_TOKEN: 403,
  KEY_SCOPE_MISSING: 403,
  ADDRESS_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  API_KEY_IN_BROWSER: 403,
  INVALID_CSRF_TOKEN: 403,
  NOT_YOUR_ENVIRONMENT: 403,
  NOT_YOUR_SESSION: 403,
  SUPPORT_ONLY: 403,
  CONSOLE_CONTENT_FORBIDDEN: 403,
  CONNECTION_NOT_FOUND: 404,
  ENVIRONMENT_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  IDENTITY_NOT_FOUND: 404,
  INTEGRATION_NOT_FOUND: 404,
  FETCH_NOT_FOUND: 404,
  FAILURE_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  FIELD_NOT_FOUND: 404,
  DOCUMENT_NOT_AVAILABLE: 404,
  VALIDATION_NOT_AVAILABLE: 404,
  READABLE_NOT_AVAILABLE: 404,
  RENDITION_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_IN_PROGRESS: 409,
  SECRET_ALREADY_SHOWN: 409,
  SCHEDULED_FETCH_DUE: 409,
  ENVIRONMENT_CHANGED: 409,
  BODY_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  MISSING_REQUIRED_FIELDS: 422,
  VALIDATION_FAILED: 422,
  MALFORMED_JSON: 422,
  ACCOUNT_MISMATCH: 422,
  STARTDATE_BEFORE_MIGRATION: 422,
  CLIENT_IDENTIFIER_TAKEN: 422,
  CONNECTION_NOT_ACTIVE: 422,
  DOCUMENT_PURGED: 422,
  NO_PUSH_ENDPOINT: 422,
  CREDENTIALS_REJECTED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTEGRATION_NOT_AVAILABLE: 422,
  PROVIDER_UNREACHABLE: 422,
  NO_RETURN_URL: 422,
  NO_API_KEY: 422,
  RESUME_CODE_INVALID: 422,
  AUTHORIZATION_URL_INVALID: 422,
  POPUP_SECRET_INVALID: 422,
  SANDBOX_ONLY: 422,
  STEP_NOT_AVAILABLE: 422,
  TEST_ENVIRONMENT_ONLY: 422,
  TOO_MANY_WEBHOOKS: 422,
  FETCH_QUOTA_EXCEEDED: 429,
  RATE_LIMITED: 429,
  SOURCE_REQUEST_QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  TEMPORARILY_UNAVAILABLE: 500,
  ENVIRONMENT_MOVING: 500,
  ENVIRONMENT_MOVED: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUSES;
export type ErrorStatus = (typeof ERROR_STATUSES)[ErrorCode];
/** The codes with the given status. */
export type CodeOf<Status extends ErrorStatus> = {
  [Code in ErrorCode]: (typeof ERROR_STATUSES)[Code] extends Status ? Code : never;
}[ErrorCode];

/** The five kinds of error body (spec 7, decisions 2). */
export type ErrorKind = 'unauthorized' | 'forbidden' | 'not_found' | 'validation' | 'internal';

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  500: 'internal',
};

export const kindOf = (status: number): ErrorKind => KINDS[status] ?? 'validation';

const TITLED_STATUSES = [405, 409, 413, 416, 422, 429];

/** The key of the title below `errors.title`; within the kind `validation` it depends on the status. */
export function titleKeyOf(status: number): string {
  if (kindOf(status) !== 'validation') return kindOf(status);
  return TITLED_STATUSES.includes(status) ? String(status) : 'other';
}
