import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { parse as parseForm } from 'node:querystring';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, tooLarge, unprocessable } from '../../errors/errors';

/** decisions 1: bytes of a body, as sent and as unpacked. */
const LIMIT_BYTES = 1024 * 1024;
/** Pages of ours that send forms, and bytes of such a form. */
const FORMS = ['/sandbox/authorize', '/oauth/start'];
const FORM_LIMIT_BYTES = 16 * 1024;
const CHARSET = /;\s*charset="?([^\s;"]+)/i;
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A body that could not be read, kept until it is its turn in the order of checks (decisions 2: 404 and 403 come first). */
export class UnreadableBody {
  constructor(readonly error: ApiError) {}
}

/** The members of a body, for a guard that looks at some of them before it is validated; none when it is no object. */
export function bodyMembers(body: unknown): Readonly<Record<string, unknown>> {
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof UnreadableBody);
  return isObject ? (body as Record<string, unknown>) : {};
}

/**
 * Global guard behind those of the credentials and the rate limits: whoever they refuse is refused by the headers alone,
 * before the body is received (decisions 1).
 */
@Injectable()
export class ReadBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await readJsonBody(context.switchToHttp().getRequest<Request>());
    return true;
  }
}

/** Reads every body as JSON, whatever its Content-Type says, but the forms of our own pages; a fault becomes an {@link UnreadableBody}, thrown later. */
export async function readJsonBody(request: Request): Promise<void> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return;
  try {
    if (FORMS.includes(request.originalUrl)) {
      request.body = parseForm(await receive(request, FORM_LIMIT_BYTES));
      return;
    }
    const text = await receive(request, LIMIT_BYTES);
    request.body = text === '' ? {} : (JSON.parse(text) as unknown);
  } catch (fault) {
    request.body = new UnreadableBody(refusal(fault));
  }
}

/** @throws Error of `raw-body` at the first byte beyond the limit; nothing more is received then */
async function receive(request: Request, limit: number): Promise<string> {
  const { headers } = request;
  const encoding = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!encoding.startsWith('utf-')) throw unprocessable('MALFORMED_JSON'); // RFC 8259 8.1
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding === 'identity') {
    return getRawBody(request, { limit, length: headers['content-length'], encoding });
  }
  if (Number(headers['content-length']) > limit) throw tooLarge('BODY_TOO_LARGE');
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

function refusal(fault: unknown): ApiError {
  if (fault instanceof ApiError) return fault;
  const type = (fault as { type?: string }).type;
  return type === 'entity.too.large' ? tooLarge('BODY_TOO_LARGE') : unprocessable('MALFORMED_JSON');
}
