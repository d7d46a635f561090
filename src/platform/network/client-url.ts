import { ValidateBy } from 'class-validator';
import { isIP } from 'node:net';
import { AddressPolicy } from './address-policy';
import { isAddressNotAllowed, type Network } from './network';

const PUBLIC = new AddressPolicy([]);

/**
 * Whether an address can be a client's, to which events or documents are sent: absolute https, without credentials or fragment. Plain http only to hosts that
 * are not on the internet, and which can be reached only where `NETWORK_ALLOW` says so (decisions 8): this machine,
 * private addresses, names without a dot.
 */
export function isClientUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.hash || !/^https?:\/\//i.test(text)) return false;
  return url.protocol === 'https:' || isInside(url.hostname);
}

/**
 * Whether an address names its host by an IP address that can never be reached (decisions 8 `NETWORK_ALLOW`). What a name
 * resolves to is decided whenever something is sent.
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

export const IsWebhookUrl = () =>
  ValidateBy({
    name: 'isWebhookUrl',
    validator: { validate: (value: unknown) => typeof value !== 'string' || isClientUrl(value) },
  });
