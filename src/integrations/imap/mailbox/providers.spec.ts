import { STEP1 } from './fields';
import { accountId, mailServer, PROVIDERS } from './providers';

describe('mail providers', () => {
  it('are all offered, and every preset has a server with TLS', () => {
    const offered = STEP1[0].options.map(({ value }) => value);
    expect(offered).toEqual([...PROVIDERS.map(({ id }) => id), 'other']);
    for (const { id } of PROVIDERS) {
      const server = mailServer({ provider: id });
      expect(server).toMatchObject({ port: 993, security: 'TLS' });
      expect(server.host).toMatch(/^([a-z0-9-]+\.)+[a-z]{2,}$/);
    }
  });

  it('ignore fields of another provider', () => {
    const input = { provider: 'gmx', host: 'evil.example', port: 1, security: 'NONE' };
    expect(mailServer(input)).toEqual({ host: 'imap.gmx.net', port: 993, security: 'TLS' });
  });

  it.each([
    [undefined, 993, 'TLS'],
    ['TLS', 993, 'TLS'],
    ['STARTTLS', 143, 'STARTTLS'],
    ['NONE', 143, 'NONE'],
    ['nonsense', 993, 'TLS'],
  ])('with encryption %s use port %i', (security, port, expected) => {
    const server = mailServer({ provider: 'other', host: 'mail.example', ...(security ? { security } : {}) });
    expect(server).toEqual({ host: 'mail.example', port, security: expected });
  });

  it('require a host without a preset', () => {
    expect(() => mailServer({ provider: 'other' })).toThrow('No host');
  });
});

describe('accountId', () => {
  it.each([
    ['Anna@GMX.de', 'imap.gmx.net', 'anna@gmx.de@imap.gmx.net'],
    ['anna@gmx.de', 'IMAP.GMX.DE', 'anna@gmx.de@imap.gmx.net'],
    [' anna@gmx.de', 'imap.gmx.net. ', 'anna@gmx.de@imap.gmx.net'],
    ['anna', 'Mail.Example', 'anna@mail.example'],
  ])('of %s at %s is %s', (user, host, id) => expect(accountId(user, host)).toBe(id));
});
