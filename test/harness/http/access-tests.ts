import { randomUUID } from 'node:crypto';
import request, { type Test } from 'supertest';
import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { expectError } from './expect-error';
import type { TestContext } from '../app/test-context';

type Headers = Record<string, string>;

export interface ProtectedRoute {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: () => string | Promise<string>;
  readonly accepts: readonly ('key' | 'token')[];
}

export interface ConnectionRoute extends Omit<ProtectedRoute, 'path'> {
  readonly path: (connection: string) => string;
  /** The status for a malformed uuid: 422 where the table of spec 4 lists it, otherwise 404 (decisions 2). */
  readonly malformed?: 422 | 404;
}

export interface IdentityRoute extends Omit<ProtectedRoute, 'path'> {
  readonly path: (identity: string) => string;
}

const UNKNOWN_KEY = `df_test_${'A'.repeat(43)}`;
const TOKEN_SECONDS = 1800;

const call = (context: TestContext, method: ProtectedRoute['method'], path: string, headers: Headers): Test =>
  request(context.app.url)[method](path).set(headers);

/** Declares a test for each authentication and authorization error (spec 5, decisions 3), in both languages. */
export function itRequiresAuthentication(context: TestContext, { method, path, accepts }: ProtectedRoute): void {
  const key = (): Headers => ({ 'X-API-KEY': context.client.apiKey });
  const token = (): Headers => ({ 'X-TOKEN': context.token });
  const good = () => (accepts.includes('token') ? token() : key());

  const rows: [what: string, headers: () => Headers | Promise<Headers>, code: string][] = [
    ['no credential', () => ({}), 'MISSING_CREDENTIALS'],
    ['an empty key', () => ({ 'X-API-KEY': '' }), 'INVALID_API_KEY'],
    ['something that is no key', () => ({ 'X-API-KEY': 'letmein' }), 'INVALID_API_KEY'],
    ['an unknown key', () => ({ 'X-API-KEY': UNKNOWN_KEY }), 'INVALID_API_KEY'],
    ['a revoked key', async () => ({ 'X-API-KEY': await revokedKey(context) }), 'INVALID_API_KEY'],
    ['an expired key', async () => ({ 'X-API-KEY': await expiredKey(context) }), 'INVALID_API_KEY'],
    ['something that is no token', () => ({ 'X-TOKEN': 'letmein' }), 'INVALID_TOKEN'],
    ['a token with another signature', () => ({ 'X-TOKEN': forgedToken(context.token) }), 'INVALID_TOKEN'],
    [
      'a token of a deleted identity',
      async () => ({ 'X-TOKEN': await tokenOfDeletedIdentity(context) }),
      'INVALID_TOKEN',
    ],
    ['a bad key beside a good credential', () => ({ ...good(), 'X-API-KEY': UNKNOWN_KEY }), 'INVALID_API_KEY'],
    ['a bad token beside a good credential', () => ({ ...good(), 'X-TOKEN': 'letmein' }), 'INVALID_TOKEN'],
  ];
  if (!accepts.includes('key')) rows.push(['only a key', key, 'MISSING_CREDENTIALS']);
  if (!accepts.includes('token')) rows.push(['only a token', token, 'MISSING_CREDENTIALS']);

  it.each(rows)('answers 401 to %s', async (_, headers, code) => {
    const answer = await call(context, method, await path(), await headers());
    expectError(answer, 401, code);
    expectError(await call(context, method, await path(), await headers()).set('Lang', 'de'), 401, code, {}, 'de');
  });

  it('answers 401 to a token after its 30 minutes', async () => {
    const short = { 'X-TOKEN': await context.client.createToken(context.identity) };
    const address = await path();
    context.app.clock.advance(TOKEN_SECONDS + 1);
    try {
      expectError(await call(context, method, address, short), 401, 'TOKEN_EXPIRED');
    } finally {
      context.app.clock.advance(-TOKEN_SECONDS - 1);
    }
  });

  it('answers 401 before it validates the body', async () => {
    const answer = await call(context, method, await path(), {})
      .set('Content-Type', 'application/json')
      .send('{"');
    expectError(answer, 401, 'MISSING_CREDENTIALS');
  });

  it('answers 403 to a key and a token of two environments', async () => {
    const answer = await call(context, method, await path(), { ...token(), 'X-API-KEY': context.otherClient.apiKey });
    expectError(answer, 403, 'NOT_YOUR_IDENTITY');
  });
}

/** Declares a test for each request for a connection that the caller may not access, and for the order of these checks. */
export function itChecksConnectionAccess(
  context: TestContext,
  { method, path, accepts, malformed = 422 }: ConnectionRoute,
): void {
  itRequiresAuthentication(context, { method, accepts, path: async () => path(await context.createConnection()) });

  const byKey = (): Headers => ({ 'X-API-KEY': context.client.apiKey });
  const byToken = (): Headers => ({ 'X-TOKEN': context.token });
  const boundTo = async (more: object): Promise<Headers> => ({
    'X-TOKEN': await context.client.createToken(context.identity, more as Record<string, unknown>),
  });
  const credentials: [string, () => Headers][] = [];
  if (accepts.includes('key')) credentials.push(['key', byKey]);
  if (accepts.includes('token')) credentials.push(['token', byToken]);

  const ofOtherIdentity = () => context.createConnection({ identity: context.otherIdentity });
  const ofOtherClient = async () =>
    context.createConnection({ by: context.otherClient, identity: await context.otherClient.createIdentity() });

  /** An invalid body proves that the request is rejected before the body is parsed. */
  const ask = async (uuid: string, headers: Headers, lang: 'en' | 'de' = 'en') =>
    call(context, method, path(uuid), headers).set('Lang', lang).set('Content-Type', 'application/json').send('{"');
  const expectBoth = async (uuid: string, headers: Headers, status: number, code: string, invalidFields = {}) => {
    for (const lang of ['en', 'de'] as const)
      expectError(await ask(uuid, headers, lang), status, code, invalidFields, lang);
  };

  it.each(credentials)('rejects a malformed uuid to a %s', async (_, headers) => {
    if (malformed === 404) await expectBoth('not-a-uuid', headers(), 404, 'CONNECTION_NOT_FOUND');
    else await expectBoth('not-a-uuid', headers(), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
  });

  it.each(credentials)('answers 404 to a %s for a connection that does not exist', async (_, headers) => {
    await expectBoth(randomUUID(), headers(), 404, 'CONNECTION_NOT_FOUND');
  });

  it.each(credentials)('answers 404 to a %s for a deleted connection', async (_, headers) => {
    const uuid = await context.createConnection();
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    await expectBoth(uuid, headers(), 404, 'CONNECTION_NOT_FOUND');
  });

  it.each(credentials)('answers 403 to a %s for a connection of another environment', async (_, headers) => {
    await expectBoth(await ofOtherClient(), headers(), 403, 'NOT_YOUR_CONNECTION');
  });

  if (!accepts.includes('token')) return;

  it('answers 403 to a token for a connection of another identity', async () => {
    await expectBoth(await ofOtherIdentity(), byToken(), 403, 'NOT_YOUR_CONNECTION');
  });

  it('answers 403 to a key with a token for a connection of another identity', async () => {
    await expectBoth(await ofOtherIdentity(), { ...byKey(), ...byToken() }, 403, 'NOT_YOUR_CONNECTION');
  });

  it('answers 403 to a token that was issued for another connection', async () => {
    const headers = await boundTo({ connection_uuid: await context.createConnection() });
    await expectBoth(await context.createConnection(), headers, 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it('answers 403 to a token that was issued for another integration', async () => {
    await expectBoth(
      await context.createConnection(),
      await boundTo({ integration_id: 'imap' }),
      403,
      'NOT_ALLOWED_BY_TOKEN',
    );
  });
}

/** The same for a route of an identity that requires a key. */
export function itChecksIdentityAccess(context: TestContext, { method, path, accepts }: IdentityRoute): void {
  itRequiresAuthentication(context, { method, accepts, path: () => path(context.identity) });

  const byKey = (): Headers => ({ 'X-API-KEY': context.client.apiKey });
  /** An invalid body proves that the request is rejected before the body is parsed. */
  const expectBoth = async (uuid: string, headers: Headers, status: number, code: string, invalidFields = {}) => {
    for (const lang of ['en', 'de'] as const) {
      const asked = call(context, method, path(uuid), headers)
        .set('Lang', lang)
        .set('Content-Type', 'application/json');
      expectError(await asked.send('{"'), status, code, invalidFields, lang);
    }
  };

  it('rejects a malformed identity_uuid', async () => {
    await expectBoth('not-a-uuid', byKey(), 422, 'VALIDATION_FAILED', { identity_uuid: 'INVALID_UUID' });
  });

  it('answers 404 for an unknown or deleted identity', async () => {
    await expectBoth(randomUUID(), byKey(), 404, 'IDENTITY_NOT_FOUND');
    const deleted = await context.client.createIdentity();
    await context.client.request('delete', `/v1/identities/${deleted}`).expect(204);
    await expectBoth(deleted, byKey(), 404, 'IDENTITY_NOT_FOUND');
  });

  it('answers 403 for an identity of another environment', async () => {
    await expectBoth(await context.otherClient.createIdentity(), byKey(), 403, 'NOT_YOUR_IDENTITY');
  });

  it('answers 403 to a key with a token of another identity', async () => {
    await expectBoth(context.otherIdentity, { ...byKey(), 'X-TOKEN': context.token }, 403, 'NOT_YOUR_IDENTITY');
  });
}

async function revokedKey(context: TestContext): Promise<string> {
  const keys = context.app.app.get(ManageKeys, { strict: false });
  const { key, record } = await keys.issue('test', context.client.environmentUuid, null);
  await call(context, 'get', '/v1/identities', { 'X-API-KEY': key }).expect(200);
  await keys.revoke('test', record.uuid);
  return key;
}

async function expiredKey(context: TestContext): Promise<string> {
  const keys = context.app.app.get(ManageKeys, { strict: false });
  return (await keys.issue('test', context.client.environmentUuid, context.app.clock.in(-1))).key;
}

async function tokenOfDeletedIdentity(context: TestContext): Promise<string> {
  const identity = await context.client.createIdentity();
  const token = await context.client.createToken(identity);
  await context.query('delete from identity where uuid = $1', [identity]);
  return token;
}

/** The same claims with one changed bit in the signature. */
function forgedToken(token: string): string {
  const [header, claims, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes[0]! ^= 1;
  return `${header}.${claims}.${bytes.toString('base64url')}`;
}
