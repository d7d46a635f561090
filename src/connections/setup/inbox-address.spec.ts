import { inboxAddress } from './inbox-address';

describe('the address of a connection', () => {
  it.each([
    ['Incoming invoices', 'incoming-invoices'],
    ['Bürobedarf Müßig & Söhne', 'buerobedarf-muessig-soehne'],
    ['Café "Zoë" <x@y.z>\r\nBcc: a@b.c', 'cafe-zoe-x-y-z-bcc-a-b-c'],
    ['請求書', 'inbox'],
    ['--', 'inbox'],
    ['A'.repeat(200), 'a'.repeat(30)],
    [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
  ])('begins with the name: %j', (name, expected) => {
    const [local, domain] = inboxAddress(name, 'inbox.example.com').split('@');
    expect(domain).toBe('inbox.example.com');
    expect(local).toMatch(new RegExp(`^${expected}-[a-z2-9]{12}$`));
  });

  it('ends with a code that is another one for each connection', () => {
    const addresses = new Set(Array.from({ length: 1_000 }, () => inboxAddress('Invoices', 'example.com')));
    expect(addresses.size).toBe(1_000);
  });
});
