import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { v4 as randomUuid } from 'uuid';
import { Connection } from '../connections/connection.entity';
import { Environment } from '../identities/environment.entity';
import { Identity } from '../identities/identity.entity';
import { isOwn } from '../identities/own-identity';
import { Catalogue } from '../integrations/catalogue';
import { Clock } from '../platform/clock';
import { Settings } from '../platform/config';
import type { Caller } from '../platform/http/access';
import { type Fault, forbidden, invalid } from '../platform/http/errors';
import { returnUrlFault } from './return-url';
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
  readonly return_url: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly state?: string;
  readonly lang?: string;
}

/** `POST /token` (spec 4.12, contract 3). */
@Injectable()
export class IssueUiToken {
  constructor(
    private readonly em: EntityManager,
    private readonly catalogue: Catalogue,
    private readonly keys: TokenKeys,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async run(caller: Caller, dto: CreateTokenDto): Promise<UiTokenView> {
    const identity = await this.em.findOne(Identity, dto.identity_uuid);
    if (identity && !isOwn(caller, identity)) throw forbidden('NOT_YOUR_IDENTITY');
    const connection = dto.connection_uuid ? await this.em.findOne(Connection, dto.connection_uuid) : null;
    if (identity && connection && connection.identityUuid !== identity.uuid) throw forbidden('NOT_YOUR_CONNECTION');
    const environment = await this.em.findOneOrFail(Environment, caller.environmentUuid);
    const faults = this.faults(caller, dto, environment, identity, connection);
    if (faults.length > 0) throw invalid(faults);
    return this.sign(dto);
  }

  private faults(
    caller: Caller,
    dto: CreateTokenDto,
    environment: Environment,
    identity: Identity | null,
    connection: Connection | null,
  ): Fault[] {
    const faults: Fault[] = [];
    if (!identity) faults.push({ field: 'identity_uuid', code: 'IDENTITY_NOT_FOUND' });
    const wrongUrl = returnUrlFault(dto.return_url, environment.returnOrigins);
    if (wrongUrl) faults.push({ field: 'return_url', code: wrongUrl });
    if (dto.integration_id != null && !this.catalogue.find(dto.integration_id, caller.isTest)) {
      faults.push({ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' });
    }
    if (dto.connection_uuid != null && !connection) {
      faults.push({ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' });
    }
    if (connection && dto.integration_id != null && connection.integrationId !== dto.integration_id) {
      faults.push({ field: 'integration_id', code: 'INTEGRATION_MISMATCH' });
    }
    return faults;
  }

  private async sign(dto: CreateTokenDto): Promise<UiTokenView> {
    const { identity_uuid: sub, return_url, connection_uuid, integration_id, state, lang } = dto;
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    const { kid, key } = this.keys.signing;
    const token = await new SignJWT({
      return_url,
      connection_uuid: connection_uuid?.toLowerCase(),
      integration_id,
      state,
      lang,
    })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(this.settings.publicUrl)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(sub.toLowerCase())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .setJti(randomUuid())
      .sign(key);
    return {
      token,
      expires_at: new Date((issuedAt + TOKEN_SECONDS) * 1000).toISOString(),
      ui_url: `${this.settings.publicUrl}/ui?token=${token}`,
    };
  }
}
