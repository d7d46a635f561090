import { SignatureV4 } from '@smithy/signature-v4';
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { AccessKeys } from './access-keys';
import { Sha256 } from './sha256';

/** A request to sign. */
export interface SignableRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly origin: string;
  /** Percent-encoded, with the query, as it is sent. */
  readonly path: string;
  readonly body?: Buffer;
}

const NOTHING = Buffer.alloc(0);
/** Larger bodies are hashed in slices, between which other work runs. */
const SLICE_BYTES = 512 * 1024;

/** The headers of a request with AWS Signature Version 4. The path is signed as it is sent, the query in canonical order. */
export async function signedHeaders(
  { method, origin, path, body = NOTHING }: SignableRequest,
  headers: Readonly<Record<string, string>>,
  region: string,
  { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken }: AccessKeys,
  now: Date,
): Promise<Record<string, string>> {
  const { protocol, hostname, host } = new URL(origin);
  const [pathname, search = ''] = path.split(/\?(.*)/s);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256,
    uriEscapePath: false,
  });
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname,
      path: pathname!,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: { ...headers, host, 'x-amz-content-sha256': await sha256Of(body) },
    },
    { signingDate: now },
  );
  return signed.headers;
}

async function sha256Of(body: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    if (start > 0) await turn();
    hash.update(body.subarray(start, start + SLICE_BYTES));
  }
  return hash.digest('hex');
}
