import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Normalizes a host from a user or a provider for the address check and the connection: no brackets, no trailing dot, IDNs in
 * ASCII, and every notation of an IPv4 address (decimal, octal, hex, shortened, full-width digits: WHATWG URL 3.5) as four
 * decimal numbers.
 * @returns null when the text is not a host: empty, or with a zone id, a port, a path or a user name
 */
export function normalizeHost(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  // Zone ids name an interface of this machine and are not accepted from outside.
  if (isIP(bare) === 6) return bare.includes('%') ? null : new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  if (bare !== host || /[\s%/\\?#@:[\]]/.test(host)) return null;
  const ascii = domainToASCII(host).replace(/\.$/, '');
  return ascii === '' || ascii.split('.').includes('') ? null : ascii;
}
