import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { v4 as randomUuid } from 'uuid';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import type { Lang } from '../platform/http/lang';
import { asSent } from './return-url';
import { TokenKeys } from './token-keys';
import type { CreateTokenDto } from './ui-token.dto';
import type { UiTokenView } from './ui-token.view';

/** spec 8: the lifetime of a UI token. */
export const TOKEN_SECONDS = 1800;
export const TOKEN_ALGORITHM = 'EdDSA';
export const TOKEN_AUDIENCE = 'docfetch';

/** What a UI token carries: its identity, what it was opened for, and where the user goes afterwards. */
export interface UiTokenClaims {
  readonly sub: string;
  readonly jti?: string;
  readonly return_url: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly state?: string;
  readonly lang?: Lang;
  /** Unix seconds. */
  readonly exp: number;
}

/** `POST /token` (spec 4.12, contract 3). */
@Injectable()
export class IssueUiToken {
  constructor(
    private readonly keys: TokenKeys,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** `dto` has passed {@link CheckTokenRequestGuard}. */
  async run(dto: CreateTokenDto): Promise<UiTokenView> {
    const { identity_uuid: sub, return_url, connection_uuid, integration_id, state, lang } = dto;
    const { token, expiresAt } = await this.sign({
      sub: sub.toLowerCase(),
      return_url: asSent(return_url),
      connection_uuid: connection_uuid?.toLowerCase(),
      integration_id: integration_id ?? undefined,
      state: state ?? undefined,
      lang: lang ?? undefined,
      exp: this.seconds + TOKEN_SECONDS,
    });
    return { token, expires_at: expiresAt.toISOString(), ui_url: `${this.settings.publicUrl}/ui?token=${token}` };
  }

  /** A token that may do what these claims say, until `exp`. */
  async sign({ sub, exp, ...claims }: Omit<UiTokenClaims, 'jti'>): Promise<{ token: string; expiresAt: Date }> {
    const { kid, key } = this.keys.signing;
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(this.settings.publicUrl)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(sub)
      .setIssuedAt(this.seconds)
      .setExpirationTime(exp)
      .setJti(randomUuid())
      .sign(key);
    return { token, expiresAt: new Date(exp * 1000) };
  }

  private get seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}
