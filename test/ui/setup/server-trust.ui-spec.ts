import { FakeSftpServer } from '../../fakes/sftp/fake-sftp-server';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

describe.each(LANGUAGES)('a server with an unknown key (%s)', (lang) => {
  let server: FakeSftpServer;

  beforeEach(async () => {
    server = await FakeSftpServer.start();
  });
  afterEach(() => server.stop());

  it('is shown with its fingerprint, and connected with the same input after the user trusts it', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sftp' } });
    const { page, messages, checkView, heading } = visit;
    await field(visit, 'host').fill('localhost');
    await press(visit, messages.fields.advanced);
    await field(visit, 'port').fill(String(server.port));
    await field(visit, 'user').fill('anna');
    await field(visit, 'password').fill('wrong');
    await press(visit, messages.connect.submit);
    const question = page.getByRole('alert').filter({ hasText: messages.serverTrust.title });
    await question.getByText(server.fingerprint).waitFor();
    await checkView('server-trust');
    expect(server.logins).toEqual([]);
    await press(visit, messages.serverTrust.accept);

    // The acceptance is kept while the form is open, even if other input is rejected.
    await page.locator('[data-field="password"] .field-error').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await field(visit, 'host').inputValue()).toBe('localhost');
    await field(visit, 'password').fill('right');
    await press(visit, messages.connect.submit);
    await heading(messages.content.title);
  });

  it('asks again in the credentials form when the server presents a different key', async () => {
    const identity = await ui.client.createIdentity();
    const fields = { host: 'localhost', port: server.port, user: 'anna', password: 'right' };
    const body = {
      ...{ integration_id: 'sftp', name: 'Files', identity_uuid: identity },
      fields: { ...fields, trusted_fingerprint: server.fingerprint },
    };
    const made = await ui.client.request('post', '/v1/connections').send(body).expect(201);
    const { uuid } = (made.body as { data: { uuid: string } }).data;
    await server.stop();
    server = await FakeSftpServer.start({ port: fields.port });

    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    const { page, messages, heading } = visit;
    await heading(messages.edit.title('Files'));
    await press(visit, messages.edit.submit);
    await page.getByRole('alert').getByText(server.fingerprint).waitFor();
    expect(server.logins).toEqual([]);
    await press(visit, messages.serverTrust.accept);
    await heading(messages.content.title);
    expect(server.logins).not.toEqual([]);
  });
});
