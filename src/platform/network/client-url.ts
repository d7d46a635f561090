import { isIP } from 'node:net';
import { AddressPolicy } from './addresses/address-policy';
import { isAddressNotAllowed, type Network } from './network';

const PUBLIC = new AddressPolicy([]);

/**
 * Whether a URL can be used to send events or documents to a client: absolute https, without credentials or fragment. Plain http
 * is accepted only for hosts that are not on the internet and are reachable only if `NETWORK_ALLOW` permits it (decisions 8):
 * this machine, private addresses, names without a dot.
 */
export function isClientUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.hash || !/^https?:\/\//i.test(text)) return false;
  return url.protocol === 'https:' || isInside(url.hostname);
}

/**
 * Whether a URL contains an IP address that is not allowed (decisions 8 `NETWORK_ALLOW`). Host names are resolved and checked on
 * each request instead.
 */
export async function isClosedUrl(network: Network, text: string): Promise<boolean> {
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return false;
  try {
    await network.resolve(host);
    return false;
  } catch (error) {
    if (isAddressNotAllowed(error)) return true;
    throw error;
  }
}

function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !PUBLIC.permits(host);
  return !host.includes('.') || /\.(?:localhost|local|internal)$/.test(host);
}
