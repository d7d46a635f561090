import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Encrypted } from '../../platform/crypto/encrypted';
import { KeyManager } from '../../platform/crypto/key-manager';
import { digestOf } from '../../platform/crypto/signed-token';
import type { UiCaller } from '../tokens/ui-caller';
import type { UiTokenClaims } from '../tokens/ui-tokens';

/**
 * References with which the hosted UI restores its session after a reload (decisions 3): the environment and the claims of the
 * token, encrypted with the key of the environment for the browser that has the page's cookie. Nothing is stored.
 */
@Injectable()
export class SessionReferences {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
  ) {}

  /** Null when the request came without the page's cookie, for example from a frame: nothing could restore the session. */
  async create({ environmentUuid, pageDigest, claims }: UiCaller): Promise<string | null> {
    if (!pageDigest) return null;
    const key = await this.keyManager.key(this.em, environmentUuid);
    const { bytes } = this.keyManager.encrypt(key, purposeOf(pageDigest), claims);
    return `${environmentUuid}.${Buffer.from(bytes).toString('base64url')}`;
  }

  /** The claims of a reference; null when it was changed, or was created for another browser. */
  async open(reference: string, pageCookie: string): Promise<UiTokenClaims | null> {
    const [environmentUuid = '', encrypted = ''] = reference.split('.');
    if (!isUuid(environmentUuid)) return null;
    const key = (await this.keyManager.keys(this.em, [environmentUuid])).get(environmentUuid);
    if (!key) return null;
    try {
      const bytes = new Encrypted(Buffer.from(encrypted, 'base64url'));
      return this.keyManager.decrypt<UiTokenClaims>(key, purposeOf(digestOf(pageCookie)), bytes);
    } catch {
      return null;
    }
  }
}

/** Binds a reference to the browser. */
const purposeOf = (pageDigest: Buffer): string => `ui-session.reference:${pageDigest.toString('hex')}`;
