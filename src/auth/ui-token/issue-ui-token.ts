import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Identity } from '../../identities/identity.entity';
import { Audit } from '../../platform/audit/audit';
import { Settings } from '../../platform/config/settings';
import { unprocessable } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { asSent } from './return-url';
import { TOKEN_SECONDS } from '../tokens/token-keys';
import type { CreateTokenDto } from './ui-token.dto';
import type { UiTokenView } from './ui-token.view';
import { UiTokens } from '../tokens/ui-tokens';

type Issuer = Pick<Caller, 'keyUuid' | 'actor' | 'session' | 'consoleSessionUuid'>;

/** `POST /token` (spec 4.12, decisions 3). */
@Injectable()
export class IssueUiToken {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: UiTokens,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

  /**
   * `dto` has passed {@link TokenRequestGuard}.
   * @throws ApiError 422 `NO_API_KEY` for a session of the console while no key of the environment is valid
   */
  async issue(caller: Issuer, dto: CreateTokenDto): Promise<UiTokenView> {
    const { keyUuid, consoleSessionUuid } = caller;
    if (keyUuid === null) throw unprocessable('NO_API_KEY');
    const { identity_uuid: sub, return_url, connection_uuid, integration_id, state, lang } = dto;
    const em = this.em.fork();
    const identity = await em.findOneOrFail(Identity, sub);
    if (caller.session) await this.recordIssue(em, caller.actor, identity, dto);
    const { token, expiresAt } = this.tokens.sign({
      sub: sub.toLowerCase(),
      key_uuid: keyUuid,
      session_generation: identity.sessionGeneration,
      console_session: consoleSessionUuid,
      return_url: asSent(return_url),
      connection_uuid: connection_uuid?.toLowerCase(),
      integration_id: integration_id ?? undefined,
      state: state ?? undefined,
      lang: lang ?? undefined,
      exp: this.tokens.seconds + TOKEN_SECONDS,
    });
    return { token, expires_at: expiresAt.toISOString(), ui_url: `${this.settings.publicUrl}/ui?token=${token}` };
  }

  /** Tokens issued by a client's backend, one for each visit of a user, are not recorded; those issued by a person in the console are. */
  private recordIssue(
    em: EntityManager,
    actor: string,
    { uuid: subjectUuid, environmentUuid }: Identity,
    { connection_uuid = null, integration_id = null }: CreateTokenDto,
  ): Promise<void> {
    const details = { connection_uuid, integration_id };
    return this.audit.insert(em, { environmentUuid, actor, action: 'token.issue', subjectUuid, details });
  }
}
