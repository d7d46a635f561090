import type { CustomFetchOptions } from 'oauth4webapi';
import { request } from 'undici';
import type { Network } from '../../../platform/network/network';
import { UnexpectedResponse } from '../../core/source-errors';

/** The maximum size of a token endpoint's response. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/** A `fetch` for the OAuth library that uses the guarded network and limits the response size. @throws UnexpectedResponse, and what undici throws */
export function networkFetch(network: Network, signal: AbortSignal) {
  return async (url: string, options: CustomFetchOptions<string, unknown>): Promise<Response> => {
    const response = await request(url, {
      method: options.method as 'POST',
      headers: options.headers,
      body: options.body ? String(options.body as URLSearchParams) : null,
      dispatcher: network.dispatcher,
      signal,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response.body) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > MAX_RESPONSE_BYTES) throw new UnexpectedResponse('The response of the token endpoint is too large.');
    }
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isEmpty = response.statusCode === 204 || response.statusCode === 304;
    return new Response(isEmpty ? null : Buffer.concat(parts), { status: response.statusCode, headers });
  };
}
