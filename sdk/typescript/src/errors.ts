/** A field that is missing or wrong; `field` is its path in the body, or the name of a parameter. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  /** For end users, in the language that was asked for. */
  readonly message: string;
}

/** What the service says when it refuses a request. Decide by `code`; `detail` may be shown to an end user. */
export class DocfetchError extends Error {
  override readonly name: string = 'DocfetchError';
  /** The HTTP status. */
  readonly status: number;
  /** What happened, e.g. `CONNECTION_NOT_ACTIVE`; `UNEXPECTED_ANSWER` when it was not Docfetch who answered. */
  readonly code: string;
  /** The kind of refusal, in the language that was asked for. */
  readonly title: string;
  /** A sentence for end users, in the language that was asked for. */
  readonly detail: string;
  /** Where `code` is explained. */
  readonly type: string | null;
  /** Name it when you ask the support team. */
  readonly requestId: string | null;
  /** All faults of the input; empty where there are none. */
  readonly errors: readonly FieldFault[];
  /** Seconds to wait until the request can succeed, where that is known. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const said = isErrorBody(body) ? body : null;
    const code = said?.code ?? 'UNEXPECTED_ANSWER';
    const detail = said?.detail ?? `The answer has status ${response.status} and is not one of Docfetch.`;
    const requestId = said?.request_id ?? response.headers.get('X-Request-Id');
    super(`${response.status} ${code}: ${detail}${requestId ? ` (${requestId})` : ''}`);
    this.status = response.status;
    this.code = code;
    this.title = said?.title ?? response.statusText;
    this.detail = detail;
    this.type = said?.type ?? null;
    this.requestId = requestId;
    this.errors = said?.errors ?? [];
    this.retryAfter = retryAfterOf(response);
  }
}

/** No answer, or none that could be read to its end: the request may have been carried out or not. */
export class DocfetchConnectionError extends Error {
  override readonly name = 'DocfetchConnectionError';
}

interface ErrorBody {
  readonly type?: string;
  readonly title?: string;
  readonly code: string;
  readonly detail: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldFault[];
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail, errors } = body as Record<string, unknown>;
  return typeof code === 'string' && typeof detail === 'string' && (errors === undefined || Array.isArray(errors));
}

/** The seconds of `Retry-After`, from either of its forms (RFC 9110 10.2.3); null when there are none. */
export function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
