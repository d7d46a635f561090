import { type JwtModuleOptions, JwtSecretRequestType } from '@nestjs/jwt';
import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Settings } from '../../platform/config/settings';

/** spec 8: the lifetime of a UI token, in seconds from `iat`. */
export const TOKEN_SECONDS = 1800;

/** ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4): the only algorithm that is accepted. */
const ALGORITHM = 'ES256';
const AUDIENCE = 'docfetch';

/** The order of P-256 (NIST SP 800-186). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 64 bits more than the order, so that the remainder is practically uniform (FIPS 186-5 A.2.1). */
const SCALAR_BYTES = 40;

/**
 * Options for signing and verifying UI tokens (decisions 3) with the keys of `TOKEN_KEYS`: the first one signs, all of
 * them verify, so that they can be rotated. A token older than `TOKEN_SECONDS` by its `iat` is rejected regardless of
 * its `exp`.
 */
export function tokenOptions({ tokenKeys, publicUrl }: Settings): JwtModuleOptions {
  const pairs = tokenKeys.map(({ id: kid, bytes }) => {
    const privateKey = privateKeyOf(bytes);
    return { kid, privateKey, publicKey: createPublicKey(privateKey) };
  });
  const [first] = pairs;
  return {
    signOptions: { algorithm: ALGORITHM, keyid: first!.kid, issuer: publicUrl, audience: AUDIENCE },
    verifyOptions: { algorithms: [ALGORITHM], issuer: publicUrl, audience: AUDIENCE, maxAge: TOKEN_SECONDS },
    secretOrKeyProvider: (type, token) => {
      if (type === JwtSecretRequestType.SIGN) return first!.privateKey;
      const header = headerOf(token as string);
      const named = pairs.find(({ kid }) => kid === header.kid);
      if (!named) throw new Error('The token names an unknown key.');
      // RFC 7515 section 4.1.11: an unknown critical extension makes a token invalid.
      if ('crit' in header) throw new Error('The token demands an extension that is not known.');
      return named.publicKey;
    },
  };
}

/** Derives a P-256 key pair from a seed of 32 bytes; the same seed always results in the same key. */
function privateKeyOf(seed: Uint8Array): KeyObject {
  const expanded = Buffer.from(hkdfSync('sha256', seed, '', 'docfetch ui-token ES256', SCALAR_BYTES));
  const scalar = (BigInt(`0x${expanded.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey(); // 0x04, x, y
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  return createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  });
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());
  if (typeof header !== 'object' || header === null) throw new Error('The token has no header.');
  return header as Record<string, unknown>;
}
