import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';

const HEADER = 'X-Request-Id';

/** decisions 1: every response carries `X-Request-Id`; an incoming one is kept when it is well-formed. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const kept = typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given);
  response.setHeader(HEADER, kept ? given : `req_${randomUUID().replaceAll('-', '')}`);
  next();
}

export function requestId(response: Response): string {
  return String(response.getHeader(HEADER) ?? '');
}
