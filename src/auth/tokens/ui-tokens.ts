import { Injectable } from '@nestjs/common';
import { JwtService, TokenExpiredError } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { validate as isUuid, v4 as randomUuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { unauthorized } from '../../platform/errors/errors';
import type { Lang } from '../../platform/i18n/lang';
import { TOKEN_SECONDS } from './token-keys';

/** Checking a signature costs more than all the rest of a request, and a user's page sends many with the same token. */
const REMEMBERED_TOKENS = 1_000;

/** What a UI token carries: its identity, what it was opened for, and where the user goes afterwards. Times in unix seconds. */
export interface UiTokenClaims {
  /** The identity. */
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** The API key that issued it, or on whose behalf it was issued: it dies with the key. */
  readonly key_uuid: string;
  /** That of the identity at the time: ending the sessions of an identity begins another generation. */
  readonly session_generation: number;
  /** When the session began, in a token that continues one after an authorisation (decisions 3). */
  readonly session_started_at?: number;
  readonly return_url: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly state?: string;
  readonly lang?: Lang;
}

/** What {@link UiTokens.sign} adds where it is left out. */
type Unsigned = Omit<UiTokenClaims, 'jti' | 'iat'> & Partial<Pick<UiTokenClaims, 'jti' | 'iat'>>;

type Verified = Partial<UiTokenClaims> & { readonly iss?: string; readonly aud?: string };

/** Signs and verifies UI tokens (decisions 3). Whether one has been revoked is not in it: `AuthenticateToken` asks for that. */
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

  /** A token that may do what these claims say, until `exp`. With `iat` and `jti` given it is the same token once more. */
  sign({ iat = this.seconds, jti = randomUuid(), ...claims }: Unsigned): { token: string; expiresAt: Date } {
    const given = Object.entries(claims).filter(([, value]) => value !== undefined);
    const token = this.jwt.sign({ ...Object.fromEntries(given), iat, jti });
    return { token, expiresAt: new Date(claims.exp * 1000) };
  }

  /**
   * What a token of ours carries. A signature that was good stays good; what can change about a token is its age.
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
      // Issuer and audience have been checked, and are added again by whoever signs.
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

/** Every claim that a check relies on. A token that does not say who issued it could not be revoked. */
function isComplete(claims: Partial<UiTokenClaims>): claims is UiTokenClaims {
  const { sub, jti, exp, return_url: returnUrl, key_uuid: keyUuid, session_generation: generation } = claims;
  return (
    [sub, jti, keyUuid].every((value) => isUuid(value)) &&
    typeof exp === 'number' &&
    typeof returnUrl === 'string' &&
    Number.isSafeInteger(generation)
  );
}
