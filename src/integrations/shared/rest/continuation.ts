import type { SourceHttpResponse } from '../http/source-http-client';

/** Whether a response continues the first one at this position (RFC 9110 section 14.4). */
export function isContinuation(response: SourceHttpResponse, first: SourceHttpResponse, position: number): boolean {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(response.headers['content-range'])) ?? [];
  const { etag, 'content-length': length } = first.headers;
  const isSameLength = total === '*' || length === undefined || total === length;
  const isSameVersion = etag === undefined || response.headers.etag === undefined || etag === response.headers.etag;
  return response.status === 206 && Number(from) === position && isSameLength && isSameVersion;
}
