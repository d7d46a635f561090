import { accountId, mailServer } from './mail-server';

describe('The server of a mailbox', () => {
  it.each([
    [undefined, 993, 'TLS'],
    ['TLS', 993, 'TLS'],
    ['STARTTLS', 143, 'STARTTLS'],
    ['NONE', 143, 'NONE'],
    ['nonsense', 993, 'TLS'],
  ])('with encryption %s uses port %i', (security, port, expected) => {
    const server = mailServer({ host: 'mail.example', ...(security ? { security } : {}) });
    expect(server).toEqual({ host: 'mail.example', port, security: expected });
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
