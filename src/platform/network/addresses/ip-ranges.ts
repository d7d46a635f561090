import { BlockList, isIP } from 'node:net';
import { mappedIpv4 } from './embedded-ipv4';
import { normalizeHost } from './normalize-host';

const BITS = { 4: 32, 6: 128 } as const;
/** The prefix length of `::ffff:0:0/96`, the network of IPv4-mapped addresses (RFC 4291 2.5.5.2). */
const MAPPED_PREFIX = 96;

/**
 * A network (`203.0.113.0/24`) or an address, as a network with an explicit prefix length; IPv4-mapped IPv6 as IPv4.
 * @returns null for anything else
 */
export function parseIpRange(text: string): string | null {
  const [, address = '', length] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  const family = isIP(address) as 0 | 4 | 6;
  if (family === 0) return null;
  const prefix = length === undefined ? BITS[family] : Number(length);
  if (prefix > BITS[family]) return null;
  const ipv4 = mappedIpv4(normalizeHost(address)!);
  if (ipv4 === null) return `${address.toLowerCase()}/${prefix}`;
  return prefix < MAPPED_PREFIX ? null : `${ipv4}/${prefix - MAPPED_PREFIX}`;
}

/** Whether an address of a client is in one of the ranges, which {@link parseIpRange} has returned. */
export function isInIpRanges(ranges: readonly string[], client: string | undefined): boolean {
  const bare = client?.replace(/%.*$/, '') ?? ''; // a link-local address comes with its interface
  const address = mappedIpv4(normalizeHost(bare) ?? '') ?? bare;
  const family = isIP(address);
  if (family === 0) return false;
  const list = new BlockList();
  // Only networks of the same family: Node checks an IPv4 address against IPv6 networks as well, as a mapped one.
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    if (isIP(network) === family) list.addSubnet(network, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
