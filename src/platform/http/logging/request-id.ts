import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';

/** decisions 1: every response carries `X-Request-Id`; an incoming one is kept when it is well-formed. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  const given = request.headers['x-request-id'];
  const kept = typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given);
  response.setHeader(HEADER, kept ? given : `req_${randomUUID().replaceAll('-', '')}`);
}

export function requestId(response: ServerResponse): string {
  return String(response.getHeader(HEADER) ?? '');
}
