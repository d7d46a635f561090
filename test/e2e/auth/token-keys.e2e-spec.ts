import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { aClient } from '../../harness/a-client';
import { expectError } from '../../harness/expect-error';
import { useStage } from '../../harness/stage';
import { startApp, type TestApp } from '../../harness/start-app';

const OLD = { id: 'old', bytes: Buffer.alloc(32, 1) };
const NEW = { id: 'new', bytes: Buffer.alloc(32, 2) };

/** An Ed25519 key from its seed (RFC 8410). */
const privateKey = (seed: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });

describe('the keys of UI tokens (contract 3)', () => {
  const stage = useStage({ settings: { tokenKeys: [NEW, OLD] } });
  const now = () => Math.floor(stage.app.clock.now().getTime() / 1000);
  const ask = (token: string) => stage.client.callWithToken(token, 'get', '/v1/ui/session');

  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...decodeJwt(stage.token),
    iat: now(),
    exp: now() + 600,
    ...more,
  });
  const signed = (
    payload: JWTPayload,
    header: object = {},
    key: Parameters<SignJWT['sign']>[0] = privateKey(NEW.bytes),
  ) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'new', typ: 'JWT', ...header })
      .sign(key, { crit: { x: true } });

  it('signs with the first key and verifies with all, so that keys can be rotated while users are at work', async () => {
    expect(decodeProtectedHeader(stage.token)).toMatchObject({ kid: 'new', alg: 'EdDSA' });
    const others: TestApp[] = [];
    const start = async (tokenKeys: (typeof OLD)[]) => {
      const app = await startApp({ databaseUrl: stage.app.databaseUrl, settings: { tokenKeys } });
      others.push(app);
      return app;
    };
    try {
      const client = await aClient(await start([OLD]));
      const token = await client.token(await client.identity());
      expect(decodeProtectedHeader(token)).toMatchObject({ kid: 'old' });
      await ask(token).expect(200); // an instance that signs with the new key already
      const after = await aClient(await start([NEW]));
      expectError(await after.callWithToken(token, 'get', '/v1/ui/session'), 401, 'INVALID_TOKEN');
    } finally {
      for (const app of others) await app.stop();
    }
  });

  it('would accept what is signed here with a key of ours', async () => {
    await ask(await signed(claims())).expect(200);
    await ask(await signed(claims(), { kid: 'old' }, privateKey(OLD.bytes))).expect(200);
  });

  it('refuses a token whose signature was good before, from the second on in which it expires', async () => {
    const token = await signed(claims({ exp: now() + 60 }));
    await ask(token).expect(200);
    try {
      stage.app.clock.move(58);
      await ask(token).expect(200);
      stage.app.clock.move(2);
      expectError(await ask(token), 401, 'TOKEN_EXPIRED');
    } finally {
      stage.app.clock.move(-60);
    }
  });

  it('refuses a token whose signature was good before, once its identity has been deleted', async () => {
    const identity = await stage.client.identity('to be deleted');
    const token = await stage.client.token(identity);
    await ask(token).expect(200);
    await stage.client.call('delete', `/v1/identities/${identity}`).expect(204);
    expectError(await ask(token), 401, 'INVALID_TOKEN');
  });

  it.each<[string, () => string | Promise<string>, string?]>([
    ['without a signature', () => new UnsecuredJWT(claims()).encode()],
    [
      'that says none and keeps a signature',
      async () => swapHeader(await signed(claims()), { alg: 'none', kid: 'new' }),
    ],
    ['signed with HS256', () => signed(claims(), { alg: 'HS256' }, randomBytes(32))],
    [
      'signed with HS256 by our public key',
      () => {
        const spki = createPublicKey(privateKey(NEW.bytes)).export({ format: 'der', type: 'spki' });
        return signed(claims(), { alg: 'HS256' }, spki);
      },
    ],
    ['signed with a key that is not ours', () => signed(claims(), {}, privateKey(Buffer.alloc(32, 5)))],
    ['that names a key that is not ours', () => signed(claims(), { kid: 'other' })],
    ['that names no key', () => signed(claims(), { kid: undefined })],
    ['that names another one of our keys', () => signed(claims(), { kid: 'old' })],
    ['for another audience', () => signed(claims({ aud: 'other' }))],
    ['for no audience', () => signed(claims({ aud: undefined }))],
    ['of another issuer', () => signed(claims({ iss: 'https://evil.example' }))],
    ['of no issuer', () => signed(claims({ iss: undefined }))],
    ['that is not good yet', () => signed(claims({ nbf: now() + 60 }))],
    ['that has expired', () => signed(claims({ exp: now() - 1 })), 'TOKEN_EXPIRED'],
    ['that never expires', () => signed(claims({ exp: undefined }))],
    ['that does not tell its age', () => signed(claims({ iat: undefined }))],
    ['of nobody', () => signed(claims({ sub: undefined }))],
    ['of something that is no identity', () => signed(claims({ sub: 'me' }))],
    ['that leads nowhere afterwards', () => signed(claims({ return_url: undefined }))],
    ['with critical demands', () => signed(claims(), { crit: ['x'], x: true })],
    ['cut in half', () => stage.token.split('.').slice(0, 2).join('.')],
    ['with a fourth part', () => `${stage.token}.x`],
    ['of other claims under the same signature', () => swapClaims(stage.token, { sub: stage.sibling })],
  ])('refuses a token %s', async (_, token, code = 'INVALID_TOKEN') => {
    expectError(await ask(await token()), 401, code);
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
