import { isIP } from 'node:net';

/** The IPv4 address of an IPv4-mapped one (`::ffff:a.b.c.d`, RFC 4291 2.5.5.2); null for every other address. */
export function mappedIpv4(ip: string): string | null {
  const groups = groupsOf(ip);
  return groups && startsWith(groups, [0, 0, 0, 0, 0, 0xffff]) ? lastFour(groups) : null;
}

/** Whether an address has the well-known NAT64 prefix `64:ff9b::/96` (RFC 6052 2.1). */
export function isWellKnownNat64(ip: string): boolean {
  const groups = groupsOf(ip);
  return groups !== null && startsWith(groups, [0x64, 0xff9b, 0, 0, 0, 0]);
}

/**
 * The IPv4 addresses that an IPv6 address (canonical notation, no zone) contains and to which a gateway, relay or tunnel may
 * forward. Empty when it contains none. Where the position depends on the gateway's prefix length, which only its operator
 * knows, all possible addresses are returned. Custom NAT64 prefixes cannot be recognized.
 */
export function embeddedIpv4(ip: string): string[] {
  const groups = groupsOf(ip);
  if (!groups) return [];
  if (startsWith(groups, [0, 0, 0, 0, 0, 0xffff])) return [lastFour(groups)];
  if (startsWith(groups, [0, 0, 0, 0, 0xffff, 0])) return [lastFour(groups)]; // IPv4-translated, RFC 2765
  if (startsWith(groups, [0, 0, 0, 0, 0, 0])) return isReserved(groups) ? [] : [lastFour(groups)]; // compatible, RFC 4291 2.5.5.1
  if (startsWith(groups, [0x64, 0xff9b, 0, 0, 0, 0])) return [lastFour(groups)];
  if (startsWith(groups, [0x64, 0xff9b, 1])) return localNat64(groups);
  if (startsWith(groups, [0x2002])) return [dotted(groups[1]!, groups[2]!)]; // 6to4, RFC 3056
  // Teredo, RFC 4380 4: the server, and the client with every bit inverted.
  if (startsWith(groups, [0x2001, 0])) {
    return [dotted(groups[2]!, groups[3]!), dotted(groups[6]! ^ 0xffff, groups[7]! ^ 0xffff)];
  }
  const isIsatap = (groups[4]! & 0xfdff) === 0 && groups[5] === 0x5efe; // RFC 5214 6.1, in any prefix
  return isIsatap ? [lastFour(groups)] : [];
}

/**
 * `64:ff9b:1::/48` (RFC 8215) holds prefixes of 48, 56, 64 or 96 bits, the IPv4 address behind them; octet 8 is skipped
 * (RFC 6052 2.2). A result in 0.0.0.0/8, which is never a destination, belongs to another prefix length.
 */
function localNat64(groups: readonly number[]): string[] {
  const octets = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const readings = [6, 7, 8].map((start) => {
    const behind = octets.slice(start).filter((_, i) => start + i !== 8);
    return behind.slice(0, 4).join('.');
  });
  const all = [...readings, lastFour(groups)].filter((reading) => !reading.startsWith('0.'));
  return all.length > 0 ? all : ['0.0.0.0'];
}

/** `::` and `::1`, which are reserved. */
const isReserved = (groups: readonly number[]): boolean => groups[6] === 0 && groups[7]! <= 1;

const startsWith = (groups: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((group, i) => groups[i] === group);

const dotted = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');

const lastFour = (groups: readonly number[]): string => dotted(groups[6]!, groups[7]!);

/** The eight groups of an IPv6 address in canonical notation; null for anything else. */
function groupsOf(ip: string): number[] | null {
  if (isIP(ip) !== 6) return null;
  const [head = [], tail = []] = ip.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => parseInt(group, 16));
}
