import { BlockList, isIP } from 'node:net';
import { embeddedIpv4, isWellKnownNat64, mappedIpv4 } from './embedded-ipv4';
import { normalizeHost } from './normalize-host';

/** IPv4 that is not globally reachable (IANA special-purpose registry, RFC 6890 and its updates), multicast and class E. */
const CLOSED_IPV4 = [
  '0.0.0.0/8', // "this network", RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '169.254.0.0/16', // link-local and cloud metadata, RFC 3927
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // 6to4 relays, withdrawn by RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112; with the limited broadcast address, RFC 8190
];

/** Everything that is or ever will be global unicast (RFC 4291); outside it lie loopback, ULA, link-local, multicast and IPv4-compatible. */
const GLOBAL_IPV6 = ['2000::/3'];

/** Special-purpose networks within `2000::/3`. */
const CLOSED_IPV6 = [
  '2001::/23', // protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4: an IPv4 address in IPv6 notation, RFC 3056; unused since RFC 7526
  '3fff::/20', // documentation, RFC 9637
];

/** Metadata services, which return machine credentials. Two of them look public; a wide network in the allow list opens none. */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
];

type Family = 'ipv4' | 'ipv6';

/**
 * Decides which addresses the service may connect to (decisions 8 `NETWORK_ALLOW`): public unicast, and the networks of the allow
 * list. An IPv6 address that contains an IPv4 address (`embeddedIpv4`) is open only if the IPv4 address is open as well, so that
 * neither a wide IPv6 network in the allow list nor a NAT64 gateway leads to the metadata service or a private network. NAT64 of
 * the well-known prefix (RFC 6052) is open for every public address.
 */
export class AddressPolicy {
  /** One for each family: Node checks an IPv4 address against IPv6 networks as well, as a mapped one. */
  private readonly allowed: Readonly<Record<Family, BlockList>>;
  private readonly allowedHosts: ReadonlySet<string>;

  /** @throws TypeError for an entry that is not a CIDR network */
  constructor(allow: readonly string[]) {
    const isIpv6 = (cidr: string) => cidr.includes(':');
    this.allowed = {
      ipv4: networks(allow.filter((cidr) => !isIpv6(cidr))),
      ipv6: networks(allow.filter(isIpv6)),
    };
    this.allowedHosts = new Set(
      allow.filter((cidr) => /(\.\d+\/32|:.*\/128)$/.test(cidr)).map((cidr) => unmapped(cidr.replace(/\/.*/, ''))),
    );
  }

  /** Whether connections to `address`, an IP address in any notation, are permitted. False for anything else. */
  permits(address: string): boolean {
    const ip = unmapped(normalizeHost(address) ?? '');
    const family = familyOf(ip);
    if (!family) return false;
    if (this.allowedHosts.has(ip)) return true;
    if (METADATA_ADDRESSES.has(ip)) return false;
    const inside = family === 'ipv6' ? embeddedIpv4(ip) : [];
    if (!inside.every((embedded) => this.permits(embedded))) return false;
    if (this.allowed[family].check(ip, family)) return true;
    if (family === 'ipv4') return isPublicIpv4(ip);
    if (isWellKnownNat64(ip)) return inside.every(isPublicIpv4);
    return globalIpv6.check(ip, 'ipv6') && !closedIpv6.check(ip, 'ipv6');
  }
}

/** The private networks that are allowed when `NETWORK_ALLOW` is not set (decisions 8): loopback, and none in production. */
export function defaultAllow(production: boolean): string[] {
  return production ? [] : ['127.0.0.0/8', '::1/128'];
}

const closedIpv4 = networks(CLOSED_IPV4);
const globalIpv6 = networks(GLOBAL_IPV6);
const closedIpv6 = networks(CLOSED_IPV6);
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(METADATA);

function isPublicIpv4(ip: string): boolean {
  return !METADATA_ADDRESSES.has(ip) && !closedIpv4.check(ip, 'ipv4');
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    const family = familyOf(address);
    if (!family || !/^\d{1,3}$/.test(prefix)) throw new TypeError(`"${cidr}" is not a network like 10.0.0.0/8.`);
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function familyOf(ip: string): Family | null {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(ip)] ?? null;
}

/** `::ffff:127.0.0.1` is `127.0.0.1` to every operating system (RFC 4291 2.5.5.2). Other addresses are only normalized. */
function unmapped(address: string): string {
  const ip = normalizeHost(address) ?? '';
  return mappedIpv4(ip) ?? ip;
}
