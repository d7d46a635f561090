import { AddressPolicy, defaultAllow } from './address-policy';
import { normalizeHost } from './normalize-host';

describe('AddressPolicy', () => {
  const strict = new AddressPolicy([]);

  it.each([
    ['unspecified', '0.0.0.0'],
    ['"this network"', '0.1.2.3'],
    ['private 10', '10.255.255.255'],
    ['carrier-grade NAT, first', '100.64.0.0'],
    ['carrier-grade NAT, last', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback, far end', '127.255.255.254'],
    ['link-local', '169.254.0.1'],
    ['metadata', '169.254.169.254'],
    ['metadata at an address that looks public', '168.63.129.16'],
    ['private 172, first', '172.16.0.0'],
    ['private 172, last', '172.31.255.255'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['private 192', '192.168.1.1'],
    ['benchmark', '198.19.255.255'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified v6', '::'],
    ['loopback v6', '::1'],
    ['loopback v6 in full', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::FFFF:7f00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['translated (RFC 2765)', '::ffff:0:127.0.0.1'],
    ['NAT64 loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 private', '64:ff9b::a00:1'],
    ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
    ['NAT64 local use', '64:ff9b:1::808:808'],
    ['6to4 private', '2002:a00:1::1'],
    ['6to4 public', '2002:808:808::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['benchmark v6', '2001:2::1'],
    ['documentation v6', '2001:db8::1'],
    ['documentation v6, new', '3fff::1'],
    ['segment routing', '5f00::1'],
    ['discard', '100::1'],
    ['unique local', 'fc00::1'],
    ['unique local, last', 'fdff:ffff::1'],
    ['metadata v6', 'fd00:ec2::254'],
    ['link-local v6', 'fe80::1'],
    ['link-local with zone', 'fe80::1%eth0'],
    ['public with zone', '2606:4700::1111%1'],
    ['site-local', 'fec0::1'],
    ['multicast v6', 'ff02::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('rejects %s (%s)', (_, address) => expect(strict.permits(address)).toBe(false));

  it.each([
    ['public', '8.8.8.8'],
    ['below carrier-grade NAT', '100.63.255.255'],
    ['above carrier-grade NAT', '100.128.0.0'],
    ['above private 172', '172.32.0.0'],
    ['below private 192', '192.167.255.255'],
    ['below multicast', '223.255.255.255'],
    ['public v6', '2606:4700::1111'],
    ['public v6 in brackets', '[2a00:1450:4001::8]'],
    ['after the protocol assignments', '2001:200::1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['NAT64 around a public address', '64:ff9b::808:808'],
  ])('permits %s (%s)', (_, address) => expect(strict.permits(address)).toBe(true));

  it('permits only the networks of the allow list, in every notation of an address', () => {
    const policy = new AddressPolicy(['10.1.0.0/16', 'fd12::/32']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::5'].map((a) => policy.permits(a))).toEqual([true, true, true]);
    expect(['10.2.0.1', 'fd13::5', '64:ff9b::10.1.2.3'].map((a) => policy.permits(a))).toEqual([false, false, false]);
  });

  it('permits a metadata address only when it is listed itself', () => {
    const metadata = ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '168.63.129.16'];
    const wide = new AddressPolicy(['0.0.0.0/0', '::/0']);
    expect(metadata.filter((address) => wide.permits(address))).toEqual([]);
    expect(wide.permits('192.168.1.1')).toBe(true);
    const named = new AddressPolicy(['169.254.169.254/32', 'fd00:ec2::254/128']);
    expect(metadata.filter((address) => named.permits(address))).toEqual(metadata.slice(0, 3));
    expect(named.permits('169.254.169.253')).toBe(false);
  });

  describe('with a wide IPv6 network in the allow list', () => {
    const wide = new AddressPolicy(['::/0']);

    it.each([
      ['mapped', '::ffff:169.254.169.254', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
      ['translated', '::ffff:0:169.254.169.254', '::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8'],
      ['compatible', '::169.254.169.254', '::10.0.0.1', '::8.8.8.8'],
      ['NAT64', '64:ff9b::169.254.169.254', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8'],
      ['local NAT64 of 96 bits', '64:ff9b:1::169.254.169.254', '64:ff9b:1::10.0.0.1', '64:ff9b:1::8.8.8.8'],
      ['local NAT64 of 64 bits', '64:ff9b:1:0:a9:fea9:fe00:0', '64:ff9b:1:0:a:0:100:0', '64:ff9b:1:0:8:808:800:0'],
      ['local NAT64 of 56 bits', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:a:0:1::', '64:ff9b:1:8:8:808::'],
      ['local NAT64 of 48 bits', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a00:0:100::', '64:ff9b:1:808:8:800::'],
      ['6to4', '2002:a9fe:a9fe::1', '2002:a00:1::1', '2002:808:808::1'],
      ['Teredo client', '2001:0:808:808:0:0:5601:5601', '2001:0:808:808:0:0:f5ff:fffe', '2001:0:808:808:0:0:f7f7:f7f7'],
      ['Teredo server', '2001:0:a9fe:a9fe:0:0:f7f7:f7f7', '2001:0:a00:1:0:0:f7f7:f7f7', '2001:0:101:101:0:0:f7f7:f7f7'],
      ['ISATAP', '2606:4700::5efe:169.254.169.254', '2606:4700::5efe:10.0.0.1', '2606:4700::5efe:8.8.8.8'],
      ['ISATAP, universal', 'fe80::200:5efe:169.254.169.254', 'fe80::200:5efe:10.0.0.1', 'fe80::200:5efe:8.8.8.8'],
    ])('checks the address inside of %s: only public ones are permitted', (_, metadata, inside, outside) => {
      expect([metadata, inside, outside].map((address) => wide.permits(address))).toEqual([false, false, true]);
      expect(new AddressPolicy(['::/0', '10.0.0.0/8']).permits(inside)).toBe(true);
      expect(new AddressPolicy(['::/0', '169.254.0.0/16', '0.0.0.0/0']).permits(metadata)).toBe(false);
    });

    it('does not treat :: and ::1 as embedded IPv4 addresses', () => {
      expect(['::', '::1'].map((address) => wide.permits(address))).toEqual([true, true]);
    });
  });

  it('rejects ISATAP with a disallowed address without any allow list', () => {
    expect(strict.permits('2606:4700::5efe:169.254.169.254')).toBe(false);
    expect(strict.permits('2606:4700::5efe:8.8.8.8')).toBe(true);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'nonsense/8', '10.0.0.0/x', '::/129'])('rejects %s as a network', (cidr) => {
    expect(() => new AddressPolicy([cidr])).toThrow();
  });

  it('allows loopback by default, and nothing private in production', () => {
    const [development, production] = [new AddressPolicy(defaultAllow(false)), new AddressPolicy(defaultAllow(true))];
    expect(['127.0.0.1', '::1', '10.0.0.1'].map((a) => development.permits(a))).toEqual([true, true, false]);
    expect(['127.0.0.1', '::1', '10.0.0.1'].map((a) => production.permits(a))).toEqual([false, false, false]);
  });
});

describe('normalizeHost', () => {
  it.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.0x0.0x0.0x1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['１２７。０。０。１', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1'],
    ['LOCALHOST.', 'localhost'],
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['under_score.example', 'under_score.example'],
  ])('normalizes %s to %s', (host, canonical) => expect(normalizeHost(host)).toBe(canonical));

  it.each([
    '',
    '.',
    'a..b',
    'a b',
    'a/b',
    'a@b',
    'a:80',
    '[localhost]',
    '[127.0.0.1]',
    '[::1',
    'fe80::1%0',
    '%31.0.0.1',
    '1.2.3.4.5',
    'a\nb',
  ])('returns null for %j', (host) => expect(normalizeHost(host)).toBeNull());
});
