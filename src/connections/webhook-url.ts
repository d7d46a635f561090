import { ValidateBy } from 'class-validator';
import { isIP } from 'node:net';
import { AddressGate } from '../platform/network/address-gate';

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
