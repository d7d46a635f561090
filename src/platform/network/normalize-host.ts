import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Brings a host as a user or a provider wrote it into the one spelling that is checked and connected to: no brackets, no trailing
 * dot, IDNs in ASCII, and every way to write an IPv4 address (decimal, octal, hex, shortened, full-width digits: WHATWG URL 3.5) as
 * four decimal numbers.
 * @returns null when the text is no host at all: empty, with a zone id, a port, a path or a user name.
 */
export function normalizeHost(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  // Zone ids name an interface of this machine: nothing outside can ask for one.
  if (isIP(bare) === 6) return bare.includes('%') ? null : new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  if (bare !== host || /[\s%/\\?#@:[\]]/.test(host)) return null;
  const ascii = domainToASCII(host).replace(/\.$/, '');
  return ascii === '' || ascii.split('.').includes('') ? null : ascii;
}
