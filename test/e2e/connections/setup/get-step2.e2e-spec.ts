import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';

describe('GET /v1/connections/{uuid}/step2 (spec 4.8)', () => {
  const context = useSharedContext();
  const path = (uuid: string) => `/v1/connections/${uuid}/step2`;
  const get = (uuid: string) => context.client.requestWithToken(context.token, 'get', path(uuid));

  itChecksConnectionAccess(context, { method: 'get', path, accepts: ['token'] });

  it('answers the fields with their first-level options, in the language of the request', async () => {
    const uuid = await context.createConnection();
    const { body } = await get(uuid).expect(200);
    expect(Object.keys(body.data)).toEqual(['fields']);
    const [folders, kinds] = body.data.fields;
    expect(folders).toMatchObject({ id: 'folders', type: 'tree', multiple: true, has_more: true, label: 'Folders' });
    expect(folders).not.toHaveProperty('value');
    expect(folders.options).toEqual([
      { value: 'inbox', label: 'Inbox', has_children: true, selectable: true },
      { value: 'archive', label: 'Archive (1,000 folders)', has_children: true, selectable: true },
      { value: 'nested', label: 'Nested folders', has_children: true, selectable: true },
      { value: 'shared', label: 'Shared folders', has_children: true, selectable: false },
    ]);
    expect(kinds).toMatchObject({ id: 'kinds', type: 'select', has_more: false });
    const german = (await get(uuid).set('Lang', 'de').expect(200)).body.data.fields;
    expect([german[0].label, german[0].options[0].label]).toEqual(['Ordner', 'Posteingang']);
  });

  it('shows what was saved', async () => {
    const uuid = await context.createConnection();
    const fields = { folders: ['archive/0001'], kinds: ['invoice'] };
    await context.client.requestWithToken(context.token, 'put', path(uuid)).send({ fields }).expect(204);
    const { body } = await get(uuid).expect(200);
    expect(body.data.fields.map(({ value }: { value: unknown }) => value)).toEqual([['archive/0001'], ['invoice']]);
  });

  it('reports when the provider cannot be reached, or rejects the credentials', async () => {
    const imap = await FakeImapServer.start({ users: [{ user: 'u', password: 'pass-1' }] });
    const fields = {
      host: '127.0.0.1',
      port: imap.port,
      security: 'NONE',
      user: 'u',
      password: 'pass-2',
    };
    const given = { integration_id: 'imap', name: 'Mail', identity_uuid: context.identity, fields };
    const { body } = await context.client.request('post', '/v1/connections/migrate').send(given).expect(201);
    const rejected = { 'fields.password': 'REJECTED' };
    expectError(await get(body.data.uuid), 422, 'CREDENTIALS_REJECTED', rejected);
    expectError(await get(body.data.uuid).set('Lang', 'de'), 422, 'CREDENTIALS_REJECTED', rejected, 'de');
    await imap.stop();
    expectError(await get(body.data.uuid), 422, 'PROVIDER_UNREACHABLE', { 'fields.port': 'CONNECTION_REFUSED' });
  });
});
