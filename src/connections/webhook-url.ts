import { ValidateBy } from 'class-validator';
import { isIP } from 'node:net';
import { AddressGate } from '../platform/network/address-gate';
import type { GuardedNetwork } from '../platform/network/guarded-network';
import { invalid } from '../platform/http/errors';
import { isAddressNotAllowed } from '../platform/network/network';

const PUBLIC = new AddressGate([]);

/**
 * Whether an address can be a webhook's: absolute https, without credentials or fragment. Plain http only to hosts that
 * are not on the internet, and which can be reached only where `NETWORK_ALLOW` says so (contract 8): this machine,
 * private addresses, names without a dot.
 */
export function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.hash || !/^https?:\/\//i.test(text)) return false;
  return url.protocol === 'https:' || isInside(url.hostname);
}

function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !PUBLIC.permits(host);
  return !host.includes('.') || /\.(?:localhost|local|internal)$/.test(host);
}

export const IsWebhookUrl = () =>
  ValidateBy({
    name: 'isWebhookUrl',
    validator: { validate: (value: unknown) => typeof value !== 'string' || isWebhookUrl(value) },
  });

/**
 * Refuses a literal address that can never be reached. What a name resolves to is decided whenever something is sent.
 * @throws ApiError 422
 */
export async function assertReachable(network: GuardedNetwork, url: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return;
  try {
    await network.resolve(host);
  } catch (error) {
    if (isAddressNotAllowed(error)) throw invalid([{ field: 'url', code: 'ADDRESS_NOT_ALLOWED' }]);
    throw error;
  }
}
