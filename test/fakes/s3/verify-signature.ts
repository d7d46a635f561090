import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface SignedRequest {
  readonly method?: string;
  /** The path with the query. */
  readonly url?: string;
  readonly headers: IncomingMessage['headers'];
}

/**
 * The S3 error code for a request's AWS Signature Version 4; null when it is valid.
 * @param payload the SHA-256 of the body; by default what the header says
 */
export function wrongSignature(
  request: SignedRequest,
  keys: { accessKey: string; secretKey: string; region: string; service?: string },
  payload = String(request.headers['x-amz-content-sha256']),
):
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'AuthorizationHeaderMalformed'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | null {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (!parts) return 'AccessDenied';
  const [, accessKey, day, region, service, signed, signature] = parts as unknown as string[];
  if (accessKey !== keys.accessKey) return 'InvalidAccessKeyId';
  if (region !== keys.region || service !== (keys.service ?? 's3')) return 'AuthorizationHeaderMalformed';
  const date = String(request.headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!date.startsWith(day!) || Math.abs(Date.now() - at) > 15 * 60_000) return 'RequestTimeTooSkewed';
  const names = signed!.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'AccessDenied';
  const [path, query = ''] = request.url!.split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').filter(Boolean).sort().join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = [day!, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${keys.secretKey}`);
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
