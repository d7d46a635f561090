import { randomUUID } from 'node:crypto';
import { createTestClient } from '../../harness/app/test-client';
import { decodeHeader, decodeJwt } from '../../harness/http/jwt';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

const RETURN_URL = 'https://app.example.com/back?tab=1';

describe.each(['/token', '/v1/token'])('POST %s (spec 4.12, decisions 3)', (path) => {
  const context = useSharedContext();
  const create = (more: object = {}) =>
    context.client.request('post', path).send({ identity_uuid: context.identity, return_url: RETURN_URL, ...more });

  itRequiresAuthentication(context, { method: 'post', path: () => path, accepts: ['key'] });

  it('returns a token for the identity that is valid for 30 minutes, and the URL for the user', async () => {
    const before = context.app.clock.now().getTime();
    const { body } = await create().expect(201);
    expect(Object.keys(body.data).sort()).toEqual(['expires_at', 'token', 'ui_url']);
    const { token, expires_at, ui_url } = body.data as Record<string, string>;
    expect(ui_url).toBe(`https://docfetch.test/ui?token=${token}`);
    expect(Date.parse(expires_at!) - before).toBeGreaterThan(1798_000);
    expect(Date.parse(expires_at!) - before).toBeLessThanOrEqual(1800_000 + 5_000);
    expect(decodeHeader(token!)).toEqual({ alg: 'ES256', kid: 'test', typ: 'JWT' });
    const claims = decodeJwt(token!);
    expect(claims).toMatchObject({ sub: context.identity, iss: 'https://docfetch.test', return_url: RETURN_URL });
    expect(claims.exp - claims.iat).toBe(1800);
    expect(claims.exp).toBe(Date.parse(expires_at!) / 1000);
    await context.client.requestWithToken(token!, 'get', '/v1/connections').expect(200);
  });

  it('returns a different token for each request', async () => {
    const [first, second] = [await create().expect(201), await create().expect(201)];
    expect(second.body.data.token).not.toBe(first.body.data.token);
  });

  it('includes the preselected integration, the state and the language', async () => {
    const { body } = await create({ integration_id: 'imap', state: 'xyz', lang: 'de' }).expect(201);
    expect(decodeJwt(body.data.token)).toMatchObject({ integration_id: 'imap', state: 'xyz', lang: 'de' });
  });

  it('restricts the token to a preselected connection, in any notation of its uuid', async () => {
    const uuid = await context.createConnection();
    const { body } = await create({ connection_uuid: uuid.toUpperCase(), integration_id: 'sandbox' }).expect(201);
    const get = (connection: string) =>
      context.client.requestWithToken(body.data.token, 'get', `/v1/connections/${connection}`);
    await get(uuid).expect(200);
    expectError(await get(await context.createConnection()), 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it('accepts null for an absent member', async () => {
    const nothing = { integration_id: null, connection_uuid: null, state: null, lang: null };
    const { body } = await create(nothing).expect(201);
    const page = await context.client.requestWithToken(body.data.token, 'get', '/v1/integrations').expect(200);
    expect(page.body.data.length).toBeGreaterThan(1);
  });

  it('accepts any notation of the identity uuid', async () => {
    const { body } = await create({ identity_uuid: context.identity.toUpperCase() }).expect(201);
    await context.client.requestWithToken(body.data.token, 'get', `/v1/identities/${context.identity}`).expect(200);
  });

  it.each([
    ['http://app.example.com/back', 'INVALID_RETURN_URL'],
    ['/back', 'INVALID_RETURN_URL'],
    ['app.example.com', 'INVALID_RETURN_URL'],
    ['javascript:alert(1)', 'INVALID_RETURN_URL'],
    ['https://user:secret@app.example.com/', 'INVALID_RETURN_URL'],
    ['https://app.example.com.evil.example/', 'ORIGIN_NOT_ALLOWED'],
    ['https://example.com/', 'ORIGIN_NOT_ALLOWED'],
    ['https://app.example.com:8443/', 'ORIGIN_NOT_ALLOWED'],
    ['http://localhost:4000/', 'ORIGIN_NOT_ALLOWED'],
    ['https://app.example.com/back#part', 'FRAGMENT_NOT_ALLOWED'],
    ['https://app.example.com/back?result=success', 'RESERVED_PARAMETER'],
    ['https://app.example.com/back?a=1&%73ig=x', 'RESERVED_PARAMETER'],
    [`https://app.example.com/${'x'.repeat(2048)}`, 'TOO_LONG'],
    [`https://app.example.com/${'ü'.repeat(1000)}`, 'TOO_LONG'],
  ])('rejects the return_url %s', async (return_url, code) => {
    expectError(await create({ return_url }), 422, 'VALIDATION_FAILED', { return_url: code });
    expectError(await create({ return_url }).set('Lang', 'de'), 422, 'VALIDATION_FAILED', { return_url: code }, 'de');
  });

  it('stores the return_url as a browser sends it', async () => {
    const { body } = await create({ return_url: 'https://APP.example.com:443/bäck?x=ü' }).expect(201);
    expect(decodeJwt(body.data.token).return_url).toBe('https://app.example.com/b%C3%A4ck?x=%C3%BC');
  });

  it('accepts a state of 256 characters', async () => {
    const state = 'ü'.repeat(256);
    const { body } = await create({ state }).expect(201);
    expect(decodeJwt(body.data.token).state).toBe(state);
    await context.client.requestWithToken(body.data.token, 'get', '/v1/ui/session').expect(200);
  });

  it.each(['a\0b', 'half \ud800 pair'])('rejects the state %j', async (state) => {
    expectError(await create({ state }), 422, 'VALIDATION_FAILED', { state: 'INVALID_FORMAT' });
  });

  it('contains only the requested data', async () => {
    const { body } = await create().expect(201);
    const claims = decodeJwt(body.data.token);
    expect(Object.keys(claims).sort()).toEqual([
      'aud',
      'exp',
      'iat',
      'iss',
      'jti',
      'key_uuid',
      'return_url',
      'session_generation',
      'sub',
    ]);
    expect(claims.aud).toBe('docfetch');
  });

  it('accepts http for localhost when it is on the list', async () => {
    const client = await createTestClient(context.app, { environment: { returnOrigins: ['http://localhost:4000'] } });
    await client
      .request('post', path)
      .send({ identity_uuid: await client.createIdentity(), return_url: 'http://localhost:4000/x' })
      .expect(201);
  });

  it('rejects every return_url while the list is empty', async () => {
    const client = await createTestClient(context.app, { environment: { returnOrigins: [] } });
    const answer = await client
      .request('post', path)
      .send({ identity_uuid: await client.createIdentity(), return_url: RETURN_URL });
    expectError(answer, 422, 'VALIDATION_FAILED', { return_url: 'ORIGIN_NOT_ALLOWED' });
  });

  it.each<[string, () => object | Promise<object>, string, Record<string, string>]>([
    [
      'an unknown identity',
      () => ({ identity_uuid: randomUUID() }),
      'VALIDATION_FAILED',
      { identity_uuid: 'IDENTITY_NOT_FOUND' },
    ],
    ['a malformed identity', () => ({ identity_uuid: 'me' }), 'VALIDATION_FAILED', { identity_uuid: 'INVALID_UUID' }],
    [
      'an unknown integration',
      () => ({ integration_id: 'x' }),
      'VALIDATION_FAILED',
      { integration_id: 'INTEGRATION_UNKNOWN' },
    ],
    [
      'an unknown connection',
      () => ({ connection_uuid: randomUUID() }),
      'VALIDATION_FAILED',
      { connection_uuid: 'CONNECTION_NOT_FOUND' },
    ],
    [
      'a connection of another integration than the given one',
      async () => ({ connection_uuid: await context.createConnection(), integration_id: 'imap' }),
      'VALIDATION_FAILED',
      { integration_id: 'INTEGRATION_MISMATCH' },
    ],
    [
      'a body without the required members',
      () => ({ identity_uuid: undefined, return_url: undefined }),
      'MISSING_REQUIRED_FIELDS',
      { identity_uuid: 'REQUIRED', return_url: 'REQUIRED' },
    ],
    [
      'several errors at once',
      () => ({
        identity_uuid: 7,
        return_url: 7,
        integration_id: 7,
        connection_uuid: 'x',
        state: 'x'.repeat(257),
        lang: 'fr',
        theme: 'dark',
      }),
      'VALIDATION_FAILED',
      {
        identity_uuid: 'INVALID_UUID',
        return_url: 'INVALID_TYPE_STRING',
        integration_id: 'INVALID_TYPE_STRING',
        connection_uuid: 'INVALID_UUID',
        state: 'TOO_LONG',
        lang: 'INVALID_OPTION',
        theme: 'UNKNOWN_PROPERTY',
      },
    ],
    [
      'several unknown resources at once',
      () => ({
        identity_uuid: randomUUID(),
        return_url: 'https://evil.example',
        integration_id: 'x',
        connection_uuid: randomUUID(),
      }),
      'VALIDATION_FAILED',
      {
        identity_uuid: 'IDENTITY_NOT_FOUND',
        return_url: 'ORIGIN_NOT_ALLOWED',
        integration_id: 'INTEGRATION_UNKNOWN',
        connection_uuid: 'CONNECTION_NOT_FOUND',
      },
    ],
  ])('rejects %s', async (_, more, code, invalidFields) => {
    const body = await more();
    expectError(await create(body), 422, code, invalidFields);
    expectError(await create(body).set('Lang', 'de'), 422, code, invalidFields, 'de');
  });

  it('answers 403 for an identity or a connection of another client', async () => {
    expectError(await create({ identity_uuid: await context.otherClient.createIdentity() }), 403, 'NOT_YOUR_IDENTITY');
    const connection_uuid = await context.createConnection({ identity: context.otherIdentity });
    expectError(await create({ connection_uuid }), 403, 'NOT_YOUR_CONNECTION');
    const foreign = await context.createConnection({
      by: context.otherClient,
      identity: await context.otherClient.createIdentity(),
    });
    expectError(await create({ connection_uuid: foreign }).set('Lang', 'de'), 403, 'NOT_YOUR_CONNECTION', {}, 'de');
  });

  it('answers 403 before it validates the rest of the body', async () => {
    const broken = { return_url: 7, lang: 'fr', extra: 1 };
    const identity_uuid = await context.otherClient.createIdentity();
    expectError(await create({ ...broken, identity_uuid }), 403, 'NOT_YOUR_IDENTITY');
    const connection_uuid = await context.createConnection({ by: context.otherClient, identity: identity_uuid });
    for (const identity of [undefined, 'me', context.identity, randomUUID()]) {
      const answer = await create({ ...broken, identity_uuid: identity, connection_uuid });
      expectError(answer, 403, 'NOT_YOUR_CONNECTION');
    }
  });

  it('reports unknown resources together with malformed values', async () => {
    const body = { identity_uuid: randomUUID(), return_url: 'https://evil.example', integration_id: 'x', state: 7 };
    const invalidFields = {
      identity_uuid: 'IDENTITY_NOT_FOUND',
      return_url: 'ORIGIN_NOT_ALLOWED',
      integration_id: 'INTEGRATION_UNKNOWN',
      state: 'INVALID_TYPE_STRING',
    };
    for (const lang of ['en', 'de'] as const) {
      expectError(await create(body).set('Lang', lang), 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });

  it('does not issue a wider token when a restricted token is sent with the key', async () => {
    const connection_uuid = await context.createConnection();
    const edit = await context.client.createToken(context.identity, { connection_uuid });
    expectError(await create().set('X-TOKEN', edit), 403, 'NOT_ALLOWED_BY_TOKEN');
    const another = { connection_uuid: await context.createConnection() };
    expectError(await create(another).set('X-TOKEN', edit), 403, 'NOT_ALLOWED_BY_TOKEN');
    await create({ connection_uuid }).set('X-TOKEN', edit).expect(201);
    const add = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await create().set('X-TOKEN', add), 403, 'NOT_ALLOWED_BY_TOKEN');
    expectError(await create({ integration_id: 'sandbox' }).set('X-TOKEN', add), 403, 'NOT_ALLOWED_BY_TOKEN');
    expectError(await create({ connection_uuid }).set('X-TOKEN', add), 403, 'NOT_ALLOWED_BY_TOKEN');
    await create({ integration_id: 'imap' }).set('X-TOKEN', add).expect(201);
  });
});
