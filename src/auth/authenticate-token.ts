import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { validate as isUuid } from 'uuid';
import type { EnvironmentKind } from '../identities/environment.entity';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import { prepared } from '../platform/database/sql';
import { unauthorized } from '../platform/http/errors';
import { TOKEN_ALGORITHM, TOKEN_AUDIENCE, type UiTokenClaims } from './issue-ui-token';
import { TokenKeys } from './token-keys';
import type { UiCaller } from './ui-caller';

/** Checking a signature costs more than all the rest of a request, and a user's page sends many with the same token. */
const REMEMBERED_TOKENS = 1_000;

interface Found {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly kind: EnvironmentKind;
}

/** Says whose a UI token is (contract 3). */
@Injectable()
export class AuthenticateToken {
  private readonly verified = new LRUCache<string, UiTokenClaims>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly em: EntityManager,
    private readonly keys: TokenKeys,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 401 `TOKEN_EXPIRED`, or `INVALID_TOKEN` also when its identity has been deleted */
  async run(token: string): Promise<UiCaller> {
    const claims = await this.verify(token);
    // Asked anew for every request: a token dies at once with its identity.
    const [identity] = await prepared<Found>(
      this.em,
      `select i.uuid, i.environment_uuid, e.kind
       from identity i join environment e on e.uuid = i.environment_uuid where i.uuid = $1`,
      [claims.sub],
    );
    if (!identity) throw unauthorized('INVALID_TOKEN');
    return {
      environmentUuid: identity.environment_uuid,
      isTest: identity.kind === 'TEST',
      identityUuid: identity.uuid,
      onlyConnectionUuid: claims.connection_uuid ?? null,
      onlyIntegrationId: claims.integration_id ?? null,
      actor: `token:${identity.uuid}`,
      claims,
      credential: claims.jti ?? identity.uuid,
    };
  }

  /** A signature that was good stays good; what can change about a token is its age. */
  private async verify(token: string): Promise<UiTokenClaims> {
    const known = this.verified.get(token);
    if (!known) {
      const claims = await this.verifyAnew(token);
      this.verified.set(token, claims);
      return claims;
    }
    if (known.exp <= this.clock.now().getTime() / 1000) throw unauthorized('TOKEN_EXPIRED');
    return known;
  }

  private async verifyAnew(token: string): Promise<UiTokenClaims> {
    try {
      const { payload } = await jwtVerify<UiTokenClaims>(
        token,
        ({ kid }) => {
          const key = this.keys.find(kid);
          if (!key) throw new Error('The token names a key that is not ours.');
          return key;
        },
        {
          algorithms: [TOKEN_ALGORITHM],
          issuer: this.settings.publicUrl,
          audience: TOKEN_AUDIENCE,
          currentDate: this.clock.now(),
          requiredClaims: ['sub', 'iat', 'exp', 'return_url'],
        },
      );
      if (!isUuid(payload.sub)) throw new Error('The token names no identity.');
      return payload;
    } catch (error) {
      throw unauthorized(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'INVALID_TOKEN');
    }
  }
}
