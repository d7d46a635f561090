import { Injectable } from '@nestjs/common';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Settings } from '../platform/config';

/** PKCS #8 around an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The keys of UI tokens, from `TOKEN_KEYS`: the first one signs, all of them verify, so that they can be rotated. */
@Injectable()
export class TokenKeys {
  readonly signing: { readonly kid: string; readonly key: KeyObject };
  private readonly verifying: ReadonlyMap<string, KeyObject>;

  constructor(settings: Settings) {
    const keys = settings.tokenKeys.map(({ id, bytes }) => ({
      kid: id,
      key: createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes]), format: 'der', type: 'pkcs8' }),
    }));
    this.signing = keys[0]!;
    this.verifying = new Map(keys.map(({ kid, key }) => [kid, createPublicKey(key)]));
  }

  /** The public key of that id, if it is one of ours. */
  find(kid: string | undefined): KeyObject | undefined {
    return kid === undefined ? undefined : this.verifying.get(kid);
  }
}
