import { readHeaders } from './mail-headers';

const block = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n') + '\r\n\r\n');

describe('readHeaders', () => {
  const address = 'rechnung@shop.example';
  it.each([
    ['From: Shop <rechnung@shop.example>', { name: 'Shop', address }],
    ['From: rechnung@shop.example', { address }],
    ['From: <rechnung@shop.example>', { address }],
    ['From: rechnung@shop.example (Shop)', { name: 'Shop', address }],
    ['From: "a@b.example" <rechnung@shop.example>', { name: 'a@b.example', address }],
    ['From: "Shop \\"24\\", Ltd." <rechnung@shop.example>', { name: 'Shop "24", Ltd.', address }],
    ['From: =?utf-8?Q?M=C3=BCller?=\r\n <rechnung@shop.example>', { name: 'Müller', address }],
    ['From: Shop', { name: 'Shop' }],
    ['From:', {}],
  ])('finds the sender in %j', (line, sender) => expect(readHeaders(block(line)).sender).toEqual(sender));

  it.each([
    [Buffer.from('Subject: Rechnung für März\r\n\r\n', 'utf8'), 'Rechnung für März'],
    [Buffer.from('Subject: Rechnung für März\r\n\r\n', 'latin1'), 'Rechnung für März'],
    [block('Subject: =?iso-8859-1?Q?f=FCr?=\r\n =?iso-8859-1?Q?_M=E4rz?='), 'für März'],
    [block('Subject: =?x-unknown?Q?f=FCr?='), expect.any(String)],
    [block('Subject: =?utf-8?B?####?= \0 x'), expect.any(String)],
    [Buffer.from([0xff, 0x00, 0x3a, 0x0a]), ''],
    [Buffer.alloc(0), ''],
  ])('reads a subject however it is encoded (%#)', (header, subject) => {
    expect(readHeaders(header).subject).toEqual(subject);
  });

  it('limits the size of headers', () => {
    const { subject, from, sender } = readHeaders(
      block(`Subject: ${'x'.repeat(2_000_000)}`, `From: ${'@'.repeat(2_000_000)}`),
    );
    expect([subject, from, sender.name ?? ''].every(({ length }) => length <= 998)).toBe(true);
  });

  it('identifies a mail by Message-ID and date, whatever was added in transit', () => {
    const mail = ['Message-ID: <1@x>', 'Date: Fri, 20 Nov 2026 08:00:00 +0000', 'Subject: a'];
    const { key } = readHeaders(block(...mail));
    expect(readHeaders(block('Received: from b', ...mail)).key).toBe(key);
    expect(readHeaders(block('Message-ID:\r\n <1@x>', ...mail.slice(1))).key).toBe(key);
    // A shop that reuses one Message-ID still sends different mails.
    expect(readHeaders(block('Message-ID: <1@x>', 'Date: Sat, 21 Nov 2026 08:00:00 +0000')).key).not.toBe(key);
  });

  it('distinguishes mails without Message-ID by their other headers', () => {
    const scan = (time: string) => block('From: scanner@x', 'Subject: Scan', `Received: by mx; ${time}`);
    expect(readHeaders(scan('08:00')).key).toBe(readHeaders(scan('08:00')).key);
    expect(readHeaders(scan('08:00')).key).not.toBe(readHeaders(scan('08:01')).key);
    expect(readHeaders(block('Message-ID: <>', 'Subject: a')).key).not.toBe(
      readHeaders(block('Message-ID: <>', 'Subject: b')).key,
    );
  });
});
