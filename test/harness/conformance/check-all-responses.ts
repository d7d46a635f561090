import type { NextFunction, Request, Response } from 'express';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { findDeviations } from './check-response';

/** A pulled document as JSON may be larger: then only its status and headers are validated. */
const LARGEST_BODY = 4 * 1024 * 1024;

const found: string[] = [];

/**
 * Express middleware of the application under test: validates every response against the OpenAPI document, independent of the sender
 * of the request and of the assertions of the test.
 */
export function recordResponses(request: Request, response: Response, next: NextFunction): void {
  const { method, path } = request;
  const parts: Buffer[] = [];
  let length = 0;
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
    length += bytes.length;
    if (length <= LARGEST_BODY) parts.push(bytes);
  };
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => Response;
  response.write = (...values: unknown[]) => {
    keep(values[0], typeof values[1] === 'string' ? values[1] : 'utf8');
    return write(...values);
  };
  response.end = (...values: unknown[]) => {
    keep(values[0], typeof values[1] === 'string' ? values[1] : 'utf8');
    const headers = Object.fromEntries(
      Object.entries(response.getHeaders()).map(([name, value]) => [
        name.toLowerCase(),
        value === undefined ? undefined : String(value),
      ]),
    );
    const body = length > LARGEST_BODY ? null : decompress(Buffer.concat(parts), headers['content-encoding']);
    // Validated before the last byte is sent, so that deviations are recorded before the test has the response.
    for (const deviation of findDeviations({ method, path, status: response.statusCode, headers, body })) {
      found.push(`${method} ${path} (${response.statusCode}) ${deviation}`);
    }
    return end(...values);
  };
  next();
}

/** Most test clients accept gzip, and large JSON is compressed. */
function decompress(body: Buffer, coding: string | undefined): Buffer {
  if (coding === 'gzip') return gunzipSync(body);
  if (coding === 'br') return brotliDecompressSync(body);
  return body;
}

/** Returns the deviations since the last call and clears them. */
export const takeDeviations = (): string[] => found.splice(0);
