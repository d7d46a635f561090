import { createTestClient, requestWithoutCredentials } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

describe('GET /v1/integrations/{integration_id} (decisions 5)', () => {
  const context = useSharedContext();
  const get = (id: string) => context.client.request('get', `/v1/integrations/${id}`);

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/integrations/imap', accepts: ['key', 'token'] });

  it('returns the same as the list with the fields, and how to get the credentials', async () => {
    const { body: page } = await context.client.request('get', '/v1/integrations?expand=step1_fields').expect(200);
    for (const listed of page.data as { integration_id: string }[]) {
      const { body } = await get(listed.integration_id).expect(200);
      expect(body).toEqual({ data: { ...listed, help_steps: expect.any(Array) } });
    }
  });

  it('is available in both languages', async () => {
    expect((await get('sandbox').expect(200)).body.data.name).toBe('Sandbox portal');
    expect((await get('sandbox').set('Lang', 'de').expect(200)).body.data.name).toBe('Sandbox-Portal');
  });

  it.each(['nothing', 'IMAP', '%00', '..%2Fimap'])('answers 404 to %s', async (id) => {
    expectError(await get(id), 404, 'INTEGRATION_NOT_FOUND');
    expectError(await get(id).set('Lang', 'de'), 404, 'INTEGRATION_NOT_FOUND', {}, 'de');
  });

  it('has no sandbox for a LIVE environment', async () => {
    const live = await createTestClient(context.app, { environment: { kind: 'LIVE' } });
    expectError(await live.request('get', '/v1/integrations/sandbox'), 404, 'INTEGRATION_NOT_FOUND');
  });

  describe('its logo', () => {
    const logo = (file: string) => requestWithoutCredentials(context.app, 'get', `/logos/${file}`);

    it('is a public image for every integration', async () => {
      const { body } = await context.client.request('get', '/v1/integrations').expect(200);
      for (const { logo_url } of body.data as { logo_url: string }[]) {
        const answer = await requestWithoutCredentials(context.app, 'get', new URL(logo_url).pathname).expect(200);
        expect(answer.headers['content-type']).toMatch(/^image\/svg\+xml/);
        expect((answer.body as Buffer).toString('utf8')).toContain('<svg');
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      }
    });

    it.each(['nothing.svg', 'imap', 'imap.png', '..%2F..%2Fpackage.json', '..%2Fimap%2Flogo.svg'])(
      'answers 404 to %s',
      async (file) => {
        expectError(await logo(file), 404, 'ROUTE_NOT_FOUND');
      },
    );
  });
});
