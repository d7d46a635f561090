import { Injectable } from '@nestjs/common';
import { JwtService, TokenExpiredError } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { validate as isUuid, v4 as randomUuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { unauthorized } from '../../platform/errors/errors';
import type { Lang } from '../../platform/i18n/lang';
import { TOKEN_SECONDS } from './token-keys';

/** The size of the cache of verified tokens: checking a signature costs more than the rest of a request. */
const REMEMBERED_TOKENS = 1_000;

/** The claims of a UI token: identity, scope and return URL. Times in unix seconds. */
export interface UiTokenClaims {
  /** The identity. */
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** The API key that issued it, or on whose behalf it was issued; revoking the key revokes the token. */
  readonly key_uuid: string;
  /** The identity's session generation when it was issued; ending the sessions increments it. */
  readonly session_generation: number;
  /** When the session began, in a token that continues a session after an authorization (decisions 3). */
  readonly session_started_at?: number;
  /** The session of the console that issued it, or on whose behalf it was issued: documents are opened as by this session (decisions 3). */
  readonly console_session?: string;
  readonly return_url: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly state?: string;
  readonly lang?: Lang;
}

/** Claims of which {@link UiTokens.sign} adds the missing ones. */
type Unsigned = Omit<UiTokenClaims, 'jti' | 'iat'> & Partial<Pick<UiTokenClaims, 'jti' | 'iat'>>;

type Verified = Partial<UiTokenClaims> & { readonly iss?: string; readonly aud?: string };

/** Signs and verifies UI tokens (decisions 3). Revocation is checked by `AuthenticateToken`. */
@Injectable()
export class UiTokens {
  private readonly verified = new LRUCache<string, UiTokenClaims>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /** Now, in unix seconds. */
  get seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }

  /** A token with these claims, valid until `exp`. With given `iat` and `jti` it is the same token again. */
  sign({ iat = this.seconds, jti = randomUuid(), ...claims }: Unsigned): { token: string; expiresAt: Date } {
    const given = Object.entries(claims).filter(([, value]) => value !== undefined);
    const token = this.jwt.sign({ ...Object.fromEntries(given), iat, jti });
    return { token, expiresAt: new Date(claims.exp * 1000) };
  }

  /**
   * The claims of a token. A verified signature stays valid, so for cached tokens only the age is checked.
   * @throws ApiError 401 `TOKEN_EXPIRED` or `INVALID_TOKEN`
   */
  verify(token: string): UiTokenClaims {
    const known = this.verified.get(token);
    if (!known) {
      const claims = this.verifySignature(token);
      this.verified.set(token, claims);
      return claims;
    }
    if (this.hasEnded(known)) throw unauthorized('TOKEN_EXPIRED');
    return known;
  }

  /** Whether a token with these claims is too old. */
  hasEnded({ iat, exp }: Pick<UiTokenClaims, 'iat' | 'exp'>): boolean {
    return Math.min(exp, iat + TOKEN_SECONDS) <= this.clock.now().getTime() / 1000;
  }

  private verifySignature(token: string): UiTokenClaims {
    try {
      // Issuer and audience have been verified; `sign` adds them again.
      const {
        iss: _,
        aud: __,
        ...claims
      } = this.jwt.verify<Verified>(token, {
        clockTimestamp: this.clock.now().getTime() / 1000,
      });
      if (!isComplete(claims)) throw new Error('The token lacks a claim.');
      return claims;
    } catch (error) {
      throw unauthorized(error instanceof TokenExpiredError ? 'TOKEN_EXPIRED' : 'INVALID_TOKEN');
    }
  }
}

/** Whether all claims that checks rely on are present. A token without `key_uuid` could not be revoked. */
function isComplete(claims: Partial<UiTokenClaims>): claims is UiTokenClaims {
  const { sub, jti, exp, return_url: returnUrl, key_uuid: keyUuid, session_generation: generation } = claims;
  return (
    [sub, jti, keyUuid].every((value) => isUuid(value)) &&
    typeof exp === 'number' &&
    typeof returnUrl === 'string' &&
    Number.isSafeInteger(generation)
  );
}
