import type { Docfetch } from './docfetch.js';
import { DocfetchError } from './errors.js';
import { pullDocument as pull } from './generated/sdk.gen.js';
import type { ProvisionedDocument } from './generated/types.gen.js';

export interface PullOptions {
  readonly client: Docfetch;
  readonly path: { transaction_uuid: string };
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** The bytes of a document and their metadata from the response headers. */
export interface Download {
  /** The bytes as they arrive. Cancel the stream if you do not read it to the end. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The file name at the source. It comes from an e-mail or a portal: never use it as a path. */
  readonly filename: string | null;
  /** Number of bytes in this response; null if unknown. */
  readonly size: number | null;
  /** SHA-256 of the whole document in hexadecimal; null if unknown. */
  readonly sha256: string | null;
  /** The response; its status is 206 if a `Range` was requested. */
  readonly response: Response;
}

/**
 * Pulls a document as JSON: the same payload as a push, with the content in base64. Use {@link downloadDocument} for large
 * documents.
 */
export async function pullDocument(options: PullOptions): Promise<{ data: ProvisionedDocument }> {
  const headers = { ...options.headers, Accept: 'application/json' };
  return (await pull({ ...options, headers, parseAs: 'json', throwOnError: true })) as { data: ProvisionedDocument };
}

/** Pulls the bytes of a document as a stream. `headers: { Range: 'bytes=100-' }` requests a part. */
export async function downloadDocument(options: PullOptions): Promise<Download> {
  const { data, response } = (await options.client.get<unknown, unknown, true>({
    ...options,
    security: [
      { name: 'X-TOKEN', type: 'apiKey' },
      { name: 'X-API-KEY', type: 'apiKey' },
    ],
    url: '/v1/transactions/{transaction_uuid}/document',
    headers: { ...options.headers, Accept: 'application/octet-stream' },
    parseAs: 'stream',
    responseStyle: 'fields',
    throwOnError: true,
  })) as { data: ReadableStream<Uint8Array> | null; response: Response };
  const { headers } = response;
  if (!headers.has('Content-Disposition')) {
    await data?.cancel();
    throw new DocfetchError(response, null); // e.g. a page of a proxy
  }
  const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length');
  return {
    stream: data ?? new Blob([]).stream(),
    filename: filenameOf(headers.get('Content-Disposition')),
    size: length === null ? null : Number(length),
    sha256: /^"([0-9a-f]{64})"$/.exec(headers.get('ETag') ?? '')?.[1] ?? null,
    response,
  };
}

/**
 * The file name of a `Content-Disposition` header. The extended form, which supports all characters, takes precedence (RFC
 * 6266).
 */
function filenameOf(header: string | null): string | null {
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Invalid encoding: falls back to the plain form.
    }
  }
  const [, quoted, token] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? null;
}
