/** An error of one field; `field` is its path in the body, or the name of a parameter. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  /** For end users, in the language of the request. */
  readonly message: string;
}

/** An error response of the service. Base decisions on `code`; `detail` may be shown to end users. */
export class DocfetchError extends Error {
  override readonly name: string = 'DocfetchError';
  /** The HTTP status. */
  readonly status: number;
  /** The error code, e.g. `CONNECTION_NOT_ACTIVE`; `UNEXPECTED_ANSWER` if the response is not from Docfetch. */
  readonly code: string;
  /** The kind of error, in the language of the request. */
  readonly title: string;
  /** A message for end users, in the language of the request. */
  readonly detail: string;
  /** URL of the explanation of `code`. */
  readonly type: string | null;
  /** Request ID for the support team. */
  readonly requestId: string | null;
  /** All errors of fields; empty if there are none. */
  readonly errors: readonly FieldError[];
  /** Seconds to wait until the request can succeed; null if unknown. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const errorBody = isErrorBody(body) ? body : null;
    const code = errorBody?.code ?? 'UNEXPECTED_ANSWER';
    const detail = errorBody?.detail ?? `The response with status ${response.status} is not from Docfetch.`;
    const requestId = errorBody?.request_id ?? response.headers.get('X-Request-Id');
    super(`${response.status} ${code}: ${detail}${requestId ? ` (${requestId})` : ''}`);
    this.status = response.status;
    this.code = code;
    this.title = errorBody?.title ?? response.statusText;
    this.detail = detail;
    this.type = errorBody?.type ?? null;
    this.requestId = requestId;
    this.errors = errorBody?.errors ?? [];
    this.retryAfter = retryAfterOf(response);
  }
}

/** There was no complete response: the service may or may not have processed the request. */
export class DocfetchConnectionError extends Error {
  override readonly name = 'DocfetchConnectionError';
}

interface ErrorBody {
  readonly type?: string;
  readonly title?: string;
  readonly code: string;
  readonly detail: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldError[];
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail, errors } = body as Record<string, unknown>;
  return typeof code === 'string' && typeof detail === 'string' && (errors === undefined || Array.isArray(errors));
}

/** The seconds of `Retry-After` in either of its forms (RFC 9110 10.2.3); null if it is missing or invalid. */
export function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
