import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { parse as parseForm } from 'node:querystring';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, unprocessable } from '../../errors/errors';

/** decisions 1: bytes of a body, as sent and as unpacked. */
const LIMIT_BYTES = 1024 * 1024;
/** Paths of the service's own pages that send forms, and the limit for such a form in bytes. */
const FORMS = ['/sandbox/authorize', '/oauth/start'];
const FORM_LIMIT_BYTES = 16 * 1024;
const CHARSET = /;\s*charset="?([^\s;"]+)/i;
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A body that could not be read. The error is thrown later, because 404 and 403 are checked first (decisions 2). */
export class UnreadableBody {
  constructor(readonly error: ApiError) {}
}

/** The members of a body, for a guard that checks some of them before the validation; empty when the body is not an object. */
export function bodyMembers(body: unknown): Readonly<Record<string, unknown>> {
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof UnreadableBody);
  return isObject ? (body as Record<string, unknown>) : {};
}

/**
 * Global guard that reads the body. It runs after the guards for credentials and rate limits, so that rejected requests are
 * answered before their body is received (decisions 1).
 */
@Injectable()
export class ReadBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    return !hasBody(request) || readJsonBody(request).then(() => true);
  }
}

const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/** Reads every body as JSON, independently of its Content-Type, except forms of the service's own pages; an error becomes an {@link UnreadableBody}. */
export async function readJsonBody(request: Request): Promise<void> {
  if (!hasBody(request)) return;
  try {
    if (FORMS.includes(request.originalUrl)) {
      request.body = parseForm(await receive(request, FORM_LIMIT_BYTES));
      return;
    }
    const text = await receive(request, LIMIT_BYTES);
    request.body = text === '' ? {} : (JSON.parse(text) as unknown);
  } catch (error) {
    request.body = new UnreadableBody(toApiError(error));
  }
}

/** @throws Error of `raw-body` at the first byte beyond the limit; the rest is not received */
async function receive(request: Request, limit: number): Promise<string> {
  const { headers } = request;
  const encoding = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!encoding.startsWith('utf-')) throw unprocessable('MALFORMED_JSON'); // RFC 8259 8.1
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding === 'identity') {
    return getRawBody(request, { limit, length: headers['content-length'], encoding });
  }
  if (Number(headers['content-length']) > limit) throw new ApiError('BODY_TOO_LARGE');
  const decoder = DECODERS[coding]?.();
  if (!decoder) throw unprocessable('MALFORMED_JSON');
  const broken = (error: Error) => decoder.destroy(error);
  request.once('error', broken).once('aborted', () => broken(new Error('The request was aborted.')));
  try {
    return await getRawBody(request.pipe(decoder), { limit, encoding });
  } finally {
    request.unpipe(decoder);
    decoder.destroy();
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const type = (error as { type?: string }).type;
  return type === 'entity.too.large' ? new ApiError('BODY_TOO_LARGE') : unprocessable('MALFORMED_JSON');
}
