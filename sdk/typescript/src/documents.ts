import type { Docfetch } from './docfetch.js';
import { pullDocument as pull } from './generated/sdk.gen.js';
import type { ProvisionedDocument } from './generated/types.gen.js';

export interface PullOptions {
  readonly client: Docfetch;
  readonly path: { transaction_uuid: string };
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A document's bytes and what the service says about them. */
export interface Download {
  /** The bytes as they arrive; whoever does not read them to the end cancels it. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The name at the source. It comes from a mail or a portal: never use it as a path. */
  readonly filename: string | null;
  /** How many bytes come, where that is known. */
  readonly size: number | null;
  /** SHA-256 of the whole document, hexadecimal. */
  readonly sha256: string | null;
  /** 206 when a `Range` was asked for. */
  readonly response: Response;
}

/**
 * Pulls a document as JSON: the payload that a push carries, with its content in base64. For long documents take
 * {@link downloadDocument}.
 */
export async function pullDocument(options: PullOptions): Promise<{ data: ProvisionedDocument }> {
  const headers = { ...options.headers, Accept: 'application/json' };
  return (await pull({ ...options, headers, parseAs: 'json', throwOnError: true })) as { data: ProvisionedDocument };
}

/** Pulls a document's bytes as a stream. `headers: { Range: 'bytes=100-' }` asks for a part. */
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
  const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length');
  return {
    stream: data ?? new Blob([]).stream(),
    filename: filenameOf(headers.get('Content-Disposition')),
    size: length === null ? null : Number(length),
    sha256: /^"([0-9a-f]{64})"$/.exec(headers.get('ETag') ?? '')?.[1] ?? null,
    response,
  };
}

/** The file name of a `Content-Disposition`; the extended form, which has all characters, goes first (RFC 6266). */
function filenameOf(header: string | null): string | null {
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Not what it says it is: the plain form may do.
    }
  }
  const [, quoted, token] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? null;
}
