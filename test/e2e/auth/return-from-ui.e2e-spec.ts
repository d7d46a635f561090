import { MikroORM } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { InvalidReturnUrl, verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { Environment, SIGNING_SECRETS } from '../../../src/identities/environments/environment.entity';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { createTestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';

const DONE = { result: 'success', action: 'none' };

describe('POST /v1/ui/return (decisions 3 "Return")', () => {
  const context = useTestContext();
  const ask = (token: string, body: object) =>
    context.client.requestWithToken(token, 'post', '/v1/ui/return').send(body);
  const url = async (token: string, body: object) => {
    const answer = await ask(token, body).expect(200);
    expect(Object.keys(answer.body as object)).toEqual(['data']);
    const { data } = answer.body as { data: { url: string } };
    expect(Object.keys(data)).toEqual(['url']);
    return data.url;
  };
  const opened = (more: object = {}) => context.client.createToken(context.identity, more as Record<string, unknown>);
  const verified = (address: string) =>
    verifyReturnUrl(address, context.client.signingSecret, { now: context.app.clock.now() });
  const deletedConnection = async (by?: { identity: string }) => {
    const uuid = await context.createConnection(by);
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    return uuid;
  };

  itRequiresAuthentication(context, { method: 'post', path: () => '/v1/ui/return', accepts: ['token'] });

  it('keeps the existing query and appends the other parameters, in order and signed', async () => {
    const connection_uuid = await context.createActiveConnection();
    const token = await opened({ return_url: 'https://app.example.com/back?b=2&a=1', state: 'x y/ü&sig=1' });
    const address = await url(token, { result: 'success', action: 'created', connection_uuid });
    const now = Math.floor(context.app.clock.now().getTime() / 1000);
    const { ts, nonce, ...rest } = verified(address);
    expect(rest).toEqual({
      result: 'success',
      action: 'created',
      identity_uuid: context.identity,
      connection_uuid,
      integration_id: 'sandbox',
      status: 'ACTIVE',
      state: 'x y/ü&sig=1',
    });
    expect(Math.abs(now - Number(ts))).toBeLessThanOrEqual(60);
    expect(nonce).toMatch(/^[\w-]{22}$/);
    expect(address).toBe(
      `https://app.example.com/back?b=2&a=1&result=success&action=created&identity_uuid=${context.identity}` +
        `&connection_uuid=${connection_uuid}&integration_id=sandbox&status=ACTIVE&state=x%20y%2F%C3%BC%26sig%3D1` +
        `&ts=${ts}&nonce=${nonce}&sig=${address.slice(-43)}`,
    );
  });

  it.each([
    ['success', 'created'],
    ['success', 'updated'],
    ['success', 'none'],
    ['cancelled', 'none'],
    ['error', 'none'],
    ['error', 'updated'],
  ])('returns %s and %s without a connection and without state', async (result, action) => {
    const address = await url(await opened(), { result, action });
    expect([...new URL(address).searchParams.keys()]).toEqual([
      'result',
      'action',
      'identity_uuid',
      'ts',
      'nonce',
      'sig',
    ]);
    expect(verified(address)).toMatchObject({ result, action, identity_uuid: context.identity });
  });

  it('returns a different URL each time', async () => {
    const token = await opened();
    const [first, second] = [await url(token, DONE), await url(token, DONE)];
    expect(verified(first).nonce).not.toBe(verified(second).nonce);
  });

  it('contains the connection that the token is restricted to', async () => {
    const connection_uuid = await context.createConnection();
    const address = await url(await opened({ connection_uuid }), { result: 'cancelled', action: 'none' });
    expect(verified(address)).toMatchObject({ connection_uuid, integration_id: 'sandbox', status: 'PENDING' });
  });

  it('contains the current status', async () => {
    const connection_uuid = await context.createActiveConnection();
    const token = await opened();
    await context.client.request('put', `/v1/connections/${connection_uuid}/disable`).expect(204);
    const body = { result: 'success', action: 'updated', connection_uuid };
    expect(verified(await url(token, body))).toMatchObject({ status: 'DISABLED' });
  });

  it('accepts any notation of the uuid', async () => {
    const connection_uuid = await context.createConnection();
    const address = await url(await opened(), { ...DONE, connection_uuid: connection_uuid.toUpperCase() });
    expect(verified(address)).toMatchObject({ connection_uuid });
  });

  it.each([
    ['https://app.example.com', /^https:\/\/app\.example\.com\/\?result=/],
    ['https://APP.example.com:443/x?', /^https:\/\/app\.example\.com\/x\?result=/],
    ['https://app.example.com/ä b?ö=ü', /^https:\/\/app\.example\.com\/%C3%A4%20b\?%C3%B6=%C3%BC&result=/],
    [`https://app.example.com/${'x'.repeat(2000)}?y`, /x\?y&result=/],
  ])('returns to %s in the form in which a browser sends it', async (return_url, expected) => {
    const address = await url(await opened({ return_url }), DONE);
    expect(address).toMatch(expected);
    expect(new URL(address).href).toBe(address);
    expect(verified(address)).toMatchObject({ result: 'success' });
  });

  it.each(['http://localhost:4000/x', 'http://[::1]:4000/x', 'https://bücher.example/x'])(
    'returns to %s',
    async (return_url) => {
      const client = await createTestClient(context.app, {
        environment: { returnOrigins: [new URL(return_url).origin] },
      });
      const address = await url(await client.createToken(await client.createIdentity(), { return_url }), DONE);
      expect(address.startsWith(`${new URL(return_url).href}?result=success`)).toBe(true);
      const now = context.app.clock.now();
      expect(verifyReturnUrl(address, client.signingSecret, { now })).toMatchObject({ result: 'success' });
      expect(() => verifyReturnUrl(address, context.client.signingSecret, { now })).toThrow(InvalidReturnUrl);
    },
  );

  it('can be repeated while the token is valid; each URL is valid for five minutes', async () => {
    const address = await url(await opened(), DONE);
    context.app.clock.advance(301);
    try {
      expect(() => verified(address)).toThrow('EXPIRED');
    } finally {
      context.app.clock.advance(-301);
    }
  });

  it('signs with the former secret until it retires, because the client has to learn the new one first', async () => {
    const client = await createTestClient(context.app);
    const token = await client.createToken(await client.createIdentity());
    const newest = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const em = context.app.app.get(MikroORM).em.fork();
    const keyManager = context.app.app.get(KeyManager);
    const environment = await em.findOneOrFail(Environment, client.environmentUuid);
    environment.signingSecrets = keyManager.encrypt(await keyManager.key(em, environment.uuid), SIGNING_SECRETS, [
      { secret: newest, retiresAt: null },
      { secret: client.signingSecret, retiresAt: context.app.clock.in(600).toISOString() },
    ]);
    await em.flush();
    const secretsOf = async () => {
      const address = await url(token, DONE);
      const now = context.app.clock.now();
      expect(verifyReturnUrl(address, [newest, client.signingSecret], { now })).toMatchObject({ result: 'success' });
      return [client.signingSecret, newest].filter((secret) => {
        try {
          return Boolean(verifyReturnUrl(address, secret, { now }));
        } catch {
          return false;
        }
      });
    };
    expect(await secretsOf()).toEqual([client.signingSecret]);
    const seconds = 1200;
    context.app.clock.advance(seconds);
    try {
      expect(await secretsOf()).toEqual([newest]);
    } finally {
      context.app.clock.advance(-seconds);
    }
  });

  describe('after a deletion', () => {
    it('still contains the connection', async () => {
      const connection_uuid = await deletedConnection();
      const { status, ...parameters } = verified(
        await url(await opened(), { result: 'success', action: 'deleted', connection_uuid }),
      );
      expect(parameters).toMatchObject({ action: 'deleted', connection_uuid, integration_id: 'sandbox' });
      expect(status).toBeUndefined();
    });

    it('accepts a token for this connection, with or without its uuid', async () => {
      const connection_uuid = await context.createConnection();
      const token = await opened({ connection_uuid, integration_id: 'sandbox' });
      await context.client.requestWithToken(token, 'delete', `/v1/connections/${connection_uuid}`).expect(204);
      for (const named of [{ connection_uuid }, {}]) {
        const address = await url(token, { result: 'success', action: 'deleted', ...named });
        expect(verified(address)).toMatchObject({ connection_uuid, integration_id: 'sandbox' });
      }
      expect(verified(await url(token, { result: 'cancelled', action: 'none' })).connection_uuid).toBeUndefined();
    });

    it('rejects the action deleted for an existing connection', async () => {
      const body = { result: 'success', action: 'deleted', connection_uuid: await context.createConnection() };
      const token = await opened();
      expectError(await ask(token, body), 422, 'VALIDATION_FAILED', { action: 'NOT_DELETED' });
      expectError(await ask(token, body).set('Lang', 'de'), 422, 'VALIDATION_FAILED', { action: 'NOT_DELETED' }, 'de');
    });

    it('rejects the actions created and updated for a deleted connection', async () => {
      const connection_uuid = await deletedConnection();
      for (const action of ['created', 'updated', 'none']) {
        const answer = await ask(await opened(), { result: 'success', action, connection_uuid });
        expectError(answer, 422, 'VALIDATION_FAILED', { connection_uuid: 'CONNECTION_NOT_FOUND' });
      }
    });

    it('rejects the deletion of an unknown connection', async () => {
      const body = { result: 'success', action: 'deleted', connection_uuid: randomUUID() };
      const invalidFields = { connection_uuid: 'CONNECTION_NOT_FOUND' };
      expectError(await ask(await opened(), body), 422, 'VALIDATION_FAILED', invalidFields);
    });

    it.each<[string, () => Promise<{ token: string; connection_uuid: string }>, string]>([
      [
        'of another identity',
        async () => ({
          token: await opened(),
          connection_uuid: await deletedConnection({ identity: context.otherIdentity }),
        }),
        'NOT_YOUR_CONNECTION',
      ],
      [
        'of another environment',
        async () => {
          const by = context.otherClient;
          const connection_uuid = await context.createConnection({ by, identity: await by.createIdentity() });
          await by.request('delete', `/v1/connections/${connection_uuid}`).expect(204);
          return { token: await opened(), connection_uuid };
        },
        'NOT_YOUR_CONNECTION',
      ],
      [
        'outside of the scope of the token',
        async () => ({
          token: await opened({ connection_uuid: await context.createConnection() }),
          connection_uuid: await deletedConnection(),
        }),
        'NOT_ALLOWED_BY_TOKEN',
      ],
      [
        'of an integration outside of the scope of the token',
        async () => ({
          token: await opened({ integration_id: 'imap' }),
          connection_uuid: await deletedConnection(),
        }),
        'NOT_ALLOWED_BY_TOKEN',
      ],
    ])('answers 403 for a connection %s', async (_, given, code) => {
      const { token, connection_uuid } = await given();
      const body = { result: 'success', action: 'deleted', connection_uuid };
      expectError(await ask(token, body), 403, code);
      expectError(await ask(token, body).set('Lang', 'de'), 403, code, {}, 'de');
    });
  });

  it('answers 403 for a connection that the token may not access', async () => {
    const expectRefused = async (token: string, connection_uuid: string, code: string) => {
      expectError(await ask(token, { ...DONE, connection_uuid }), 403, code);
      expectError(await ask(token, { ...DONE, connection_uuid }).set('Lang', 'de'), 403, code, {}, 'de');
    };
    const own = await context.createConnection();
    const by = context.otherClient;
    await expectRefused(
      await opened(),
      await context.createConnection({ identity: context.otherIdentity }),
      'NOT_YOUR_CONNECTION',
    );
    await expectRefused(
      await opened(),
      await context.createConnection({ by, identity: await by.createIdentity() }),
      'NOT_YOUR_CONNECTION',
    );
    await expectRefused(
      await opened({ connection_uuid: await context.createConnection() }),
      own,
      'NOT_ALLOWED_BY_TOKEN',
    );
    await expectRefused(await opened({ integration_id: 'imap' }), own, 'NOT_ALLOWED_BY_TOKEN');
  });

  it('answers 403 before it validates the rest of the body', async () => {
    const connection_uuid = await context.createConnection({ identity: context.otherIdentity });
    expectError(await ask(await opened(), { connection_uuid, more: 1 }), 403, 'NOT_YOUR_CONNECTION');
  });

  it.each<[string, object, string, Record<string, string>]>([
    [
      'several errors at once',
      { result: 'x', connection_uuid: randomUUID(), more: 1 },
      'VALIDATION_FAILED',
      {
        result: 'INVALID_OPTION',
        action: 'REQUIRED',
        connection_uuid: 'CONNECTION_NOT_FOUND',
        more: 'UNKNOWN_PROPERTY',
      },
    ],
    ['an empty body', {}, 'MISSING_REQUIRED_FIELDS', { result: 'REQUIRED', action: 'REQUIRED' }],
    ['null', { result: null, action: null }, 'MISSING_REQUIRED_FIELDS', { result: 'REQUIRED', action: 'REQUIRED' }],
    ['an unknown result', { result: 'SUCCESS', action: 'none' }, 'VALIDATION_FAILED', { result: 'INVALID_OPTION' }],
    ['an unknown action', { result: 'success', action: 'stolen' }, 'VALIDATION_FAILED', { action: 'INVALID_OPTION' }],
    [
      'lists',
      { result: ['success'], action: ['none'] },
      'VALIDATION_FAILED',
      { result: 'INVALID_OPTION', action: 'INVALID_OPTION' },
    ],
    ['a malformed uuid', { ...DONE, connection_uuid: 'x' }, 'VALIDATION_FAILED', { connection_uuid: 'INVALID_UUID' }],
    [
      'an unknown connection',
      { ...DONE, connection_uuid: randomUUID() },
      'VALIDATION_FAILED',
      { connection_uuid: 'CONNECTION_NOT_FOUND' },
    ],
    [
      'a URL or parameters in the body',
      { ...DONE, return_url: 'https://evil.example', state: 'x', identity_uuid: randomUUID(), status: 'ACTIVE' },
      'VALIDATION_FAILED',
      {
        return_url: 'UNKNOWN_PROPERTY',
        state: 'UNKNOWN_PROPERTY',
        identity_uuid: 'UNKNOWN_PROPERTY',
        status: 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects %s', async (_, body, code, invalidFields) => {
    const token = await opened();
    expectError(await ask(token, body), 422, code, invalidFields);
    expectError(await ask(token, body).set('Lang', 'de'), 422, code, invalidFields, 'de');
  });

  it('accepts null for no connection', async () => {
    expect(verified(await url(await opened(), { ...DONE, connection_uuid: null })).connection_uuid).toBeUndefined();
  });

  it('rejects invalid JSON', async () => {
    const answer = await ask(await opened(), {})
      .set('Content-Type', 'application/json')
      .send('{"');
    expectError(answer, 422, 'MALFORMED_JSON');
  });

  it('does not write to the database and reveals no secret', async () => {
    const [before] = await context.query('select count(*)::int as n from audit_log');
    const answer = await ask(await opened(), DONE).expect(200);
    const [after] = await context.query('select count(*)::int as n from audit_log');
    expect(after).toEqual(before);
    expect(answer.text).not.toContain(context.client.signingSecret.replace('whsec_', ''));
  });
});
