import { createHmac, hash, randomUUID } from 'node:crypto';
import type { UnsignedRequest } from '../../shared/rest/rest-request';
import type { Signature } from './signature';

/** The signature covers this much of a body. */
const MAX_BODY_BYTES = 131_072;

/**
 * Akamai: EdgeGrid, `EG1-HMAC-SHA256` (https://techdocs.akamai.com/developer/docs/authenticate-with-edgegrid,
 * https://github.com/akamai/AkamaiOPEN-edgegrid-node). Akamai accepts a signature for 30 seconds and each nonce once.
 */
export const edgegrid: Signature = {
  inputs: ['client_token', 'client_secret', 'access_token'],
  sign: (request, inputs, now) => ({ authorization: authorizationOf(request, inputs, now, randomUUID()) }),
};

/** The header of a request, with a nonce that no other request has. */
export function authorizationOf(
  { method, url, body }: UnsignedRequest,
  { client_token, client_secret, access_token }: Readonly<Record<string, string>>,
  now: Date,
  nonce: string,
): string {
  const timestamp = `${now.toISOString().slice(0, 19).replaceAll('-', '')}+0000`;
  const unsigned = `EG1-HMAC-SHA256 client_token=${client_token};access_token=${access_token};timestamp=${timestamp};nonce=${nonce};`;
  const signedBody = Buffer.from(body).subarray(0, MAX_BODY_BYTES);
  const digest = method === 'POST' && signedBody.length > 0 ? hash('sha256', signedBody, 'base64') : '';
  // No header is signed, so their place is empty.
  const text = [method, url.protocol.slice(0, -1), url.host, url.pathname + url.search, '', digest, unsigned].join(
    '\t',
  );
  return `${unsigned}signature=${hmac(hmac(client_secret!, timestamp), text)}`;
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64');
