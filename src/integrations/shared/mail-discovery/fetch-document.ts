import type { Network } from '../../../platform/network/network';

/** Larger documents are not read: those of large providers have 3 KB. */
const MAX_BYTES = 64 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Gets a public document over HTTPS; undefined when the server has none. Redirects are followed to HTTPS only.
 * @throws what the network throws, the signal's reason, and for a document over 64 KiB
 */
export async function fetchDocument(network: Network, url: URL, signal: AbortSignal): Promise<Buffer | undefined> {
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS && at.protocol === 'https:'; redirects++) {
    const { statusCode, headers, body } = await network.dispatcher.request({
      origin: at.origin,
      path: at.pathname + at.search,
      method: 'GET',
      headers: { 'user-agent': 'Docfetch', accept: 'application/xml, text/xml' },
      signal,
    });
    if (statusCode === 200) return readAll(body);
    await body.dump({ limit: MAX_BYTES, signal });
    const { location } = headers;
    const isRedirect = REDIRECTS.includes(statusCode) && typeof location === 'string';
    if (!isRedirect || !URL.canParse(location, at.href)) return undefined;
    at = new URL(location, at);
  }
  return undefined;
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new Error('The document is too large.');
  }
  return Buffer.concat(parts);
}
