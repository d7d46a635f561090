import { readAutoconfig } from './autoconfig';

const IMAP = {
  type: 'imap',
  host: 'mail.example.com',
  port: '993',
  socket: 'SSL',
  more: '<authentication>password-cleartext</authentication><username>%EMAILADDRESS%</username>',
};
const server = (changes: Partial<typeof IMAP> = {}) => {
  const { type, host, port, socket, more } = { ...IMAP, ...changes };
  return `<incomingServer type="${type}"><hostname>${host}</hostname><port>${port}</port><socketType>${socket}</socketType>${more}</incomingServer>`;
};
const document = (...servers: string[]) =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.com">${servers.join('')}</emailProvider></clientConfig>`;
const read = (text: string) => readAutoconfig(Buffer.from(text), 'example.com');
const FOUND = { host: 'mail.example.com', port: 993, security: 'TLS', userName: 'ADDRESS' };

describe('readAutoconfig', () => {
  it('reads host, port, encryption and the form of the user name', () => {
    expect(read(document(server()))).toEqual(FOUND);
    const other = server({ port: '143', socket: 'STARTTLS', more: '<username>%EMAILLOCALPART%</username>' });
    expect(read(document(other))).toEqual({ ...FOUND, port: 143, security: 'STARTTLS', userName: 'LOCAL_PART' });
  });

  it('fills in the domain of the address in the name of the server', () => {
    expect(read(document(server({ host: 'imap.%EMAILDOMAIN%' })))).toMatchObject({ host: 'imap.example.com' });
  });

  it.each([
    ['POP3', { type: 'pop3' }],
    ['an unencrypted server', { socket: 'plain' }],
    ['a server without a password', { more: '<authentication>OAuth2</authentication>' }],
    ['a port that does not exist', { port: '99999' }],
    ['an IP address', { host: '127.0.0.1' }],
    ['an IP address in another notation', { host: '2130706433.' }],
    ['a name without a domain', { host: 'localhost' }],
    ['an address instead of a name', { host: 'https://mail.example.com/' }],
    ['an empty name', { host: '' }],
  ])('skips %s and takes the next server', (_, changes) => {
    expect(read(document(server(changes), server()))).toEqual(FOUND);
    expect(read(document(server(changes)))).toBeUndefined();
  });

  it('finds nothing in another document', () => {
    expect(read('<html><body>Not found</body></html>')).toBeUndefined();
  });

  it.each([
    [
      'a document type with an entity',
      `<!DOCTYPE c [<!ENTITY h SYSTEM "file:///etc/passwd">]>${document(server({ host: '&h;' }))}`,
    ],
    ['a document that is cut off', document(server()).slice(0, -20)],
    ['endless nesting', '<a>'.repeat(100) + '</a>'.repeat(100)],
    ['bytes that are no text', '\0\0\0'],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow();
  });
});
