import { createHmac, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { createTestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { decodeHeader, decodeJwt, es256, makeJwt, tokenKeyOf } from '../../harness/http/jwt';
import { useTestContext } from '../../harness/app/test-context';
import { startApp, type TestApp } from '../../harness/app/start-app';

const OLD = { id: 'old', bytes: Buffer.alloc(32, 1) };
const NEW = { id: 'new', bytes: Buffer.alloc(32, 2) };

type Claims = Readonly<Record<string, unknown>>;
const hs256 = (secret: Buffer) => (input: Buffer) => createHmac('sha256', secret).update(input).digest();

describe('the keys of UI tokens (decisions 3)', () => {
  const context = useTestContext({ settings: { tokenKeys: [NEW, OLD] } });
  const now = () => Math.floor(context.app.clock.now().getTime() / 1000);
  const ask = (token: string) => context.client.requestWithToken(token, 'get', '/v1/ui/session');

  const claims = (more: Claims = {}): Claims => ({
    ...decodeJwt(context.token),
    iat: now(),
    exp: now() + 600,
    ...more,
  });
  const signed = (payload: Claims, header: Claims = {}, key: KeyObject = tokenKeyOf(NEW.bytes)) =>
    makeJwt({ alg: 'ES256', kid: 'new', typ: 'JWT', ...header }, payload, es256(key));

  it('signs with the first key and verifies with all, so that keys can be rotated during sessions', async () => {
    expect(decodeHeader(context.token)).toMatchObject({ kid: 'new', alg: 'ES256' });
    const others: TestApp[] = [];
    const start = async (tokenKeys: (typeof OLD)[]) => {
      const app = await startApp({ databaseUrl: context.app.databaseUrl, settings: { tokenKeys } });
      others.push(app);
      return app;
    };
    try {
      const client = await createTestClient(await start([OLD]));
      const token = await client.createToken(await client.createIdentity());
      expect(decodeHeader(token)).toMatchObject({ kid: 'old' });
      await ask(token).expect(200); // an instance that signs with the new key already
      const after = await createTestClient(await start([NEW]));
      expectError(await after.requestWithToken(token, 'get', '/v1/ui/session'), 401, 'INVALID_TOKEN');
    } finally {
      for (const app of others) await app.stop();
    }
  });

  it('accepts a token that this test signs with a configured key', async () => {
    await ask(signed(claims())).expect(200);
    await ask(signed(claims(), { kid: 'old' }, tokenKeyOf(OLD.bytes))).expect(200);
  });

  it('rejects a token with a verified signature from the second in which it expires', async () => {
    const token = signed(claims({ exp: now() + 60 }));
    await ask(token).expect(200);
    try {
      context.app.clock.advance(58);
      await ask(token).expect(200);
      context.app.clock.advance(2);
      expectError(await ask(token), 401, 'TOKEN_EXPIRED');
    } finally {
      context.app.clock.advance(-60);
    }
  });

  it('rejects a token with a verified signature from the second in which it is 30 minutes old', async () => {
    const token = signed(claims({ exp: now() + 7200 }));
    await ask(token).expect(200);
    try {
      context.app.clock.advance(1800);
      expectError(await ask(token), 401, 'TOKEN_EXPIRED');
    } finally {
      context.app.clock.advance(-1800);
    }
  });

  it('rejects a token with a verified signature after its identity was deleted', async () => {
    const identity = await context.client.createIdentity('to be deleted');
    const token = await context.client.createToken(identity);
    await ask(token).expect(200);
    await context.client.request('delete', `/v1/identities/${identity}`).expect(204);
    expectError(await ask(token), 401, 'INVALID_TOKEN');
  });

  it.each<[string, () => string, string?]>([
    ['without a signature', () => makeJwt({ alg: 'none', kid: 'new' }, claims(), () => Buffer.alloc(0))],
    ['with the algorithm none and a signature', () => swapHeader(signed(claims()), { alg: 'none', kid: 'new' })],
    ['signed with HS256', () => makeJwt({ alg: 'HS256', kid: 'new' }, claims(), hs256(randomBytes(32)))],
    [
      'signed with HS256 and our public key',
      () => {
        const spki = createPublicKey(tokenKeyOf(NEW.bytes)).export({ format: 'pem', type: 'spki' });
        return makeJwt({ alg: 'HS256', kid: 'new' }, claims(), hs256(Buffer.from(spki)));
      },
    ],
    ['with ES384 for the same key', () => signed(claims(), { alg: 'ES384' })],
    ['signed with an unknown key', () => signed(claims(), {}, tokenKeyOf(Buffer.alloc(32, 5)))],
    ['with an unknown key id', () => signed(claims(), { kid: 'other' })],
    ['without a key id', () => signed(claims(), { kid: undefined })],
    ['with the id of another key', () => signed(claims(), { kid: 'old' })],
    ['for another audience', () => signed(claims({ aud: 'other' }))],
    ['without an audience', () => signed(claims({ aud: undefined }))],
    ['of another issuer', () => signed(claims({ iss: 'https://evil.example' }))],
    ['without an issuer', () => signed(claims({ iss: undefined }))],
    ['that is not valid yet', () => signed(claims({ nbf: now() + 60 }))],
    ['that has expired', () => signed(claims({ exp: now() - 1 })), 'TOKEN_EXPIRED'],
    [
      'that is older than 30 minutes, regardless of its expiry',
      () => signed(claims({ iat: now() - 1800 })),
      'TOKEN_EXPIRED',
    ],
    ['without the API key that issued it', () => signed(claims({ key_uuid: undefined }))],
    ['without a session generation', () => signed(claims({ session_generation: undefined }))],
    ['that never expires', () => signed(claims({ exp: undefined }))],
    ['without an issue time', () => signed(claims({ iat: undefined }))],
    ['without a subject', () => signed(claims({ sub: undefined }))],
    ['whose subject is not an identity', () => signed(claims({ sub: 'me' }))],
    ['without a return URL', () => signed(claims({ return_url: undefined }))],
    ['with a critical extension', () => signed(claims(), { crit: ['x'], x: true })],
    ['without its third part', () => context.token.split('.').slice(0, 2).join('.')],
    ['with a fourth part', () => `${context.token}.x`],
    ['with other claims under the same signature', () => swapClaims(context.token, { sub: context.otherIdentity })],
  ])('rejects a token %s', async (_, token, code = 'INVALID_TOKEN') => {
    expectError(await ask(token()), 401, code);
  });
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function swapHeader(token: string, header: object): string {
  const [, payload, signature] = token.split('.');
  return [encode(header), payload, signature].join('.');
}

function swapClaims(token: string, more: object): string {
  const [header, , signature] = token.split('.');
  return [header, encode({ ...decodeJwt(token), ...more }), signature].join('.');
}
