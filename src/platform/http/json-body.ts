import { json, urlencoded, type NextFunction, type Request, type Response } from 'express';
import { type ApiError, tooLarge, unprocessable } from './errors';

const LIMIT_BYTES = 1024 * 1024;
const parse = json({ limit: LIMIT_BYTES, strict: false, type: () => true });

/** Pages of ours that send forms. */
const FORMS = ['/sandbox/authorize'];
const parseForm = urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 50 });

/** A body that could not be read, kept until it is its turn in the order of checks (contract 2: 401 comes first). */
export class UnreadableBody {
  constructor(readonly error: ApiError) {}
}

/** The members of a body, for a guard that looks at some of them before it is validated; none when it is no object. */
export function bodyMembers(body: unknown): Readonly<Record<string, unknown>> {
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof UnreadableBody);
  return isObject ? (body as Record<string, unknown>) : {};
}

/** Reads every body as JSON, whatever its Content-Type says, but the forms of our own pages; a fault is thrown later, by {@link ValidateBody}. */
export function readJsonBody(request: Request, response: Response, next: NextFunction): void {
  const read = FORMS.includes(request.originalUrl) ? parseForm : parse;
  read(request, response, (fault?: unknown) => {
    if (fault) request.body = new UnreadableBody(refusal(fault));
    next();
  });
}

function refusal(fault: unknown): ApiError {
  const type = (fault as { type?: string }).type;
  if (type === 'entity.too.large') return tooLarge('BODY_TOO_LARGE');
  return unprocessable('MALFORMED_JSON');
}
