import { useTestContext } from '../../harness/app/test-context';

const CLIENT = { client: { id: 'client', secret: 'secret' } };

describe.each([
  [['gmail_imap', 'outlook_imap'], { 'anna@gmail.com': 'gmail_imap', 'anna@outlook.com': 'outlook_imap' }],
  [['gmail', 'gmail_imap'], { 'anna@gmail.com': 'gmail' }],
  [['outlook', 'outlook_imap'], { 'anna@outlook.com': 'outlook', 'anna@gmail.com': 'gmail_app_password' }],
])('POST /v1/mail-accounts/discover with OAuth clients for %j (decisions 5)', (clients, expected) => {
  const providers = Object.fromEntries(clients.map((id) => [id, CLIENT]));
  const context = useTestContext({ settings: { providers } });

  it.each(Object.entries(expected))('leads %s to %s', async (email, integration_id) => {
    const { body } = await context.client.request('post', '/v1/mail-accounts/discover').send({ email }).expect(200);
    const fields = ['gmail', 'outlook'].includes(integration_id) ? {} : { user: email };
    expect(body.data).toEqual({ integration_id, source: 'LIST', fields, confirm_server: false });
  });
});
