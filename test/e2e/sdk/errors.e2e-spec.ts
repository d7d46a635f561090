import { randomUUID } from 'node:crypto';
import {
  createConnection,
  createDocfetch,
  createToken,
  type Docfetch,
  DocfetchError,
  type DocfetchOptions,
  fetchNow,
  getConnection,
  listIdentities,
  migrateConnection,
  verifyReturnUrl,
} from '../../../sdk/typescript/dist/index.js';
import de from '../../../i18n/de/errors.json';
import en from '../../../i18n/en/errors.json';
import { useTestContext } from '../../harness/app/test-context';

const TEXTS = { en, de };
type Code = keyof typeof en.detail;

describe('Through the TypeScript SDK: errors', () => {
  const context = useTestContext();
  const docfetch = (options: Partial<DocfetchOptions> = {}) =>
    createDocfetch({ baseUrl: context.app.url, apiKey: context.client.apiKey, ...options });

  async function refused(act: Promise<unknown>): Promise<DocfetchError> {
    const error: unknown = await act.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(DocfetchError);
    return error as DocfetchError;
  }

  /** Expects the error in both languages; returns the English one. */
  async function expectRefusal(
    act: (client: Docfetch) => Promise<unknown>,
    status: number,
    code: Code,
    faults: Record<string, string> = {},
    options: Partial<DocfetchOptions> = {},
  ): Promise<DocfetchError> {
    const inEach = {
      en: await refused(act(docfetch(options))),
      de: await refused(act(docfetch({ ...options, lang: 'de' }))),
    };
    for (const lang of ['en', 'de'] as const) {
      const { errors, ...error } = inEach[lang];
      expect(error).toMatchObject({ status, code, requestId: expect.stringMatching(/^[\w-]{1,64}$/) });
      expect(error.type).toMatch(new RegExp(`#${code}$`));
      expect(Object.fromEntries(errors.map((fault) => [fault.field, fault.code]))).toEqual(faults);
      expect(errors.every(({ message }) => message.length > 0)).toBe(true);
      const sentence = TEXTS[lang].detail[code] as unknown;
      if (typeof sentence === 'string' && !sentence.includes('{')) expect(error.detail).toBe(sentence);
    }
    expect(inEach.de.title).not.toBe(inEach.en.title);
    expect(inEach.de.detail).not.toBe(inEach.en.detail);
    return inEach.en;
  }

  const path = (uuid: string) => ({ uuid });

  it.each<[Code, Partial<DocfetchOptions>]>([
    ['MISSING_CREDENTIALS', { apiKey: undefined }],
    ['INVALID_API_KEY', { apiKey: 'letmein' }],
    ['INVALID_TOKEN', { token: 'letmein' }],
  ])('answers 401 %s', async (code, options) => {
    await expectRefusal((client) => getConnection({ client, path: path(randomUUID()) }), 401, code, {}, options);
  });

  it('answers 403, 404 and 422 for a connection that is not accessible', async () => {
    const foreign = await context.createConnection({
      by: context.otherClient,
      identity: await context.otherClient.createIdentity(),
    });
    const get = (uuid: string) => (client: Docfetch) => getConnection({ client, path: path(uuid) });
    await expectRefusal(get(foreign), 403, 'NOT_YOUR_CONNECTION');
    await expectRefusal(get(randomUUID()), 404, 'CONNECTION_NOT_FOUND');
    await expectRefusal(get('nonsense'), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
  });

  it('answers 422 with all missing fields', async () => {
    const act = (client: Docfetch) =>
      migrateConnection({
        client,
        body: { identity_uuid: context.identity, integration_id: 'sandbox', name: 'Old', fields: {} },
      });
    const { errors } = await expectRefusal(act, 422, 'MISSING_REQUIRED_FIELDS', {
      'fields.user': 'REQUIRED',
      'fields.password': 'REQUIRED',
    });
    expect(errors.map(({ message }) => message)).toEqual(['User name is required.', 'Password is required.']);
  });

  it('answers 422 when the provider refuses the credentials', async () => {
    const body = {
      integration_id: 'sandbox',
      name: 'Portal',
      identity_uuid: context.identity,
      fields: { user: 'u', password: 'wrong' },
    };
    const error = await refused(createConnection({ client: docfetch(), body }));
    expect(error).toMatchObject({ status: 422, code: 'CREDENTIALS_REJECTED', retryAfter: null });
  });

  it('answers 422 for a value in the query', async () => {
    const act = (client: Docfetch) => listIdentities({ client, query: { limit: 501 } });
    await expectRefusal(act, 422, 'VALIDATION_FAILED', { limit: 'TOO_LARGE' });
  });

  it('answers 409 with the seconds until the scheduled fetch', async () => {
    const uuid = await context.createActiveConnection();
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(45)]);
    const act = (client: Docfetch) => fetchNow({ client, path: path(uuid) });
    const { retryAfter } = await expectRefusal(act, 409, 'SCHEDULED_FETCH_DUE');
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(45);
  });

  it('answers 429 immediately, with the seconds until the next fetch', async () => {
    const uuid = await context.createActiveConnection();
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [
      uuid,
      context.app.clock.in(36_000),
    ]);
    const act = (client: Docfetch) => fetchNow({ client, path: path(uuid) });
    for (let i = 0; i < 5; i++) await act(docfetch());
    const { retryAfter } = await expectRefusal(act, 429, 'FETCH_QUOTA_EXCEEDED');
    expect(retryAfter).toBeGreaterThan(3000);
    expect(retryAfter).toBeLessThanOrEqual(3600);
  });

  it('verifies the return URL', async () => {
    const connection_uuid = await context.createActiveConnection();
    const { data } = await createToken({
      client: docfetch(),
      body: { identity_uuid: context.identity, return_url: 'https://app.example.com/back?tab=1', state: 'a&b' },
    });
    const { body } = await context.client
      .requestWithToken(data.token, 'post', '/v1/ui/return')
      .send({ result: 'success', action: 'updated', connection_uuid })
      .expect(200);
    const address = (body as { data: { url: string } }).data.url;
    const now = context.app.clock.now();
    expect(await verifyReturnUrl(address, context.client.signingSecret, { now })).toMatchObject({
      result: 'success',
      action: 'updated',
      identity_uuid: context.identity,
      connection_uuid,
      state: 'a&b',
    });
    await expect(
      verifyReturnUrl(address.replace('success', 'error'), context.client.signingSecret, { now }),
    ).rejects.toMatchObject({ name: 'VerificationError', reason: 'SIGNATURE_INVALID' });
  });
});
