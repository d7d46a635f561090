import * as handler from 'imapflow/lib/handler/imap-handler.js';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail } from '../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession } from '../../../../test/interop/imap/mailbox-session';
import { imap } from '../imap';

it('imapflow renders no command and no response for its log', async () => {
  const user = { user: 'anna', password: 'right' };
  const server = await FakeImapServer.start({ users: [user] });
  server.append('INBOX', invoiceMail('a.pdf').build());
  const rendered: string[] = [];
  const { compiler } = handler;
  const watched = async (...[response, options]: Parameters<typeof compiler>) => {
    const text = await compiler(response, options);
    if (options?.isLogging) rendered.push(text.toString());
    return text;
  };
  Object.assign(handler, { compiler: watched });
  try {
    const fields = { host: 'localhost', port: server.port, security: 'NONE', ...user };
    const session = mailboxSession({ fields });
    expect((await listAll(imap, session)).documents).toHaveLength(1);
    await session.end();
    await server.waitForCommand('LOGOUT');
  } finally {
    Object.assign(handler, { compiler });
    await server.stop();
  }
  expect(rendered.length).toBeGreaterThan(10);
  expect(rendered.join('')).toBe('');
});
