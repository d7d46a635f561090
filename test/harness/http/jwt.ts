import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

type Claims = Record<string, unknown> & { readonly iat: number; readonly exp: number };

const part = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString());

/** The claims of a token, unverified. */
export const decodeJwt = (token: string): Claims => part(token, 1) as Claims;
export const decodeHeader = (token: string): Record<string, unknown> => part(token, 0) as Record<string, unknown>;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Builds a JWS token (RFC 7515) with any header and claims; `signature` signs the first two parts. */
export function makeJwt(header: object, claims: object, signature: (input: Buffer) => Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signature(Buffer.from(input)).toString('base64url')}`;
}

/** Signs with ES256: r and s concatenated (RFC 7518 section 3.4). */
export const es256 =
  (key: KeyObject) =>
  (input: Buffer): Buffer =>
    sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' });

/** The P-256 key that `TOKEN_KEYS` encodes, computed independently of the service. */
export function tokenKeyOf(seed: Buffer): KeyObject {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const wide = Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(0), 'docfetch ui-token ES256', 40)).toString('hex');
  const d = Buffer.from(((BigInt(`0x${wide}`) % (order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)];
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    ...Object.fromEntries(Object.entries({ d, x, y }).map(([n, v]) => [n, v.toString('base64url')])),
  };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}
