import { isInIpRanges, parseIpRange } from './ip-ranges';

describe('ranges of client addresses', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    [' 203.0.113.7 ', '203.0.113.7/32'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8::7', '2001:db8::7/128'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:cb00:7100/120', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is read as %s', (text, range) => expect(parseIpRange(text)).toBe(range));

  it.each([
    '',
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'example.com',
    'fe80::1%eth0',
    '::ffff:0:0/95',
  ])('%j is not one', (text) => expect(parseIpRange(text)).toBeNull());

  it.each([
    ['203.0.113.7', true],
    ['::ffff:203.0.113.7', true],
    ['::FFFF:cb00:7107', true],
    ['203.0.114.1', false],
    ['2001:db8:0:1::9', true],
    ['2001:db8:0:2::9', false],
    ['fe80::1%eth0', true],
    ['unknown', false],
    ['', false],
    [undefined, false],
  ])('%s is inside: %s', (address, inside) => {
    expect(isInIpRanges(['203.0.113.0/24', '2001:db8:0:1::/64', 'fe80::/10'], address)).toBe(inside);
  });

  it('does not find an IPv4 address in an IPv6 network', () => {
    expect(isInIpRanges(['::/0'], '203.0.113.7')).toBe(false);
    expect(isInIpRanges(['0.0.0.0/0'], '2001:db8::1')).toBe(false);
  });
});
