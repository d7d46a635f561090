import { createTestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';

const PATH = '/v1/environment';

describe('GET /v1/environment (decisions 9)', () => {
  const context = useTestContext();

  itRequiresAuthentication(context, { method: 'get', path: () => PATH, accepts: ['key'] });

  it('shows the settings, limits and retention of the key’s environment, and the key itself', async () => {
    const client = await createTestClient(context.app, {
      environment: { clientName: 'Müller & Söhne', name: 'Trial', returnOrigins: ['https://app.example.com'] },
      provisioning: {
        strategy: 'PUSH',
        url: 'https://api.example.com/documents',
        auth: 'BEARER',
        secret: 'bearer-secret',
        pushLimitBytes: 1024 * 1024,
      },
    });
    await context.query(
      `update environment set retention_days = 30, retention_delivered_days = 0, retention_class = 'LONG',
         text_extraction = false, hold_duplicates = true, expected_documents = true,
         embedding_origins = '["https://erp.example.com"]',
         browser_origins = '["https://www.example.com"]' where uuid = $1`,
      [client.environmentUuid],
    );
    const { body, headers } = await client.request('get', PATH).expect(200);
    expect(body).toEqual({
      data: {
        environment_uuid: client.environmentUuid,
        client_name: 'Müller & Söhne',
        name: 'Trial',
        kind: 'TEST',
        provisioning: {
          strategy: 'PUSH',
          url: 'https://api.example.com/documents',
          circuit: 'CLOSED',
          failing_since: null,
        },
        limits: {
          requests_per_minute: expect.any(Number),
          manual_fetches_per_hour: 5,
          push_limit_bytes: 1024 * 1024,
        },
        retention: { content_days: 30, content_after_delivery_days: 0, history_days: 400, audit_days: 400 },
        text_extraction: false,
        hold_duplicates: true,
        expected_documents: true,
        mail_policy: 'DMARC',
        return_origins: ['https://app.example.com'],
        embedding_origins: ['https://erp.example.com'],
        browser_origins: ['https://www.example.com'],
        api_key: {
          prefix: 'df_test_',
          last_four: client.apiKey.slice(-4),
          expires_at: null,
          scopes: ['read', 'write', 'admin'],
          allowed_ips: [],
        },
        usage: expect.objectContaining({ month: context.app.clock.now().toISOString().slice(0, 7) }),
      },
    });
    for (const secret of ['bearer-secret', client.apiKey, client.signingSecret]) {
      expect(JSON.stringify({ body, headers })).not.toContain(secret);
    }
  });

  it('shows no URL when documents are not pushed', async () => {
    const { body } = await context.client.request('get', PATH).expect(200);
    expect(body.data.provisioning).toMatchObject({ url: null, circuit: 'CLOSED', failing_since: null });
  });

  it('shows the URL without the token that it contains', async () => {
    const url = 'https://api.example.com/documents?tenant=7&token=hunter2';
    const client = await createTestClient(context.app, {
      provisioning: { strategy: 'PUSH', url, auth: 'NONE', secret: null },
    });
    const { body } = await client.request('get', PATH).expect(200);
    expect(body.data.provisioning.url).toBe('https://api.example.com/documents?tenant=7');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('rejects a UI token with the key, because a token gives no access to the environment', async () => {
    for (const lang of ['en', 'de'] as const) {
      const answer = await context.client.request('get', PATH).set('X-TOKEN', context.token).set('Lang', lang);
      expectError(answer, 403, 'NOT_ALLOWED_BY_TOKEN', {}, lang);
    }
  });
});
