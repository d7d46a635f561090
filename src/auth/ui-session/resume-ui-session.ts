import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Connection } from '../../connections/state/connection.entity';
import { v4 as randomUuid } from 'uuid';
import { type CompletedFlow, OAuthFlowRepository } from '../../connections/oauth/flow/oauth-flow.repository';
import type { RequestCookies } from '../../connections/oauth/oauth-cookies';
import type { AuthorizationOutcome } from '../../connections/oauth/oauth-redirect';
import { unprocessable } from '../../platform/errors/errors';
import { translate } from '../../platform/errors/translate';
import { sessionOfActor } from '../console-session/console-actor';
import { AuthenticateToken } from '../tokens/authenticate-token';
import type { ResumedSessionView } from './resumed-session.view';
import { TOKEN_SECONDS } from '../tokens/token-keys';
import { type UiTokenClaims, UiTokens } from '../tokens/ui-tokens';

/** The minimum remaining seconds of a continued session, for the second step. */
const AT_LEAST_SECONDS = 600;
/** The maximum duration of a session in seconds, including continuations. */
const SESSION_SECONDS = 3600;

/**
 * `POST /v1/ui/session/resume`: restores the session of the hosted UI after the redirect to a provider. Only a successful
 * authorization continues the session, restricted to its connection; after any other outcome the page gets its previous token with
 * the same expiry (decisions 3).
 */
@Injectable()
export class ResumeUiSession {
  constructor(
    private readonly em: EntityManager,
    private readonly flows: OAuthFlowRepository,
    private readonly tokens: UiTokens,
    private readonly authenticateToken: AuthenticateToken,
  ) {}

  /**
   * @throws ApiError 422 `RESUME_CODE_INVALID` when the code was used, has expired or belongs to another browser; 401
   * `INVALID_TOKEN` when the session has been revoked
   */
  async resume(code: string, browser: RequestCookies): Promise<ResumedSessionView> {
    const resumed = await this.flows.consumeResumeCode(code, browser);
    const connection = resumed && (await this.em.fork().findOne(Connection, resumed.flow.connectionUuid));
    if (!resumed || !connection) throw unprocessable('RESUME_CODE_INVALID');
    const { outcome } = resumed;
    const before = (resumed.session as UiTokenClaims | null) ?? sessionOf(resumed, connection);
    await this.authenticateToken.callerOf(before);
    const { token, expiresAt } = this.tokens.sign(
      outcome === 'AUTHORIZED' ? this.continued(before, connection.uuid) : before,
    );
    return {
      token,
      expires_at: expiresAt.toISOString(),
      connection_uuid: connection.uuid,
      result: resultOf(outcome),
      code: outcome,
      message: translate(`authorization.${outcome}`),
    };
  }

  /** The claims of a continued session (decisions 3). */
  private continued(before: UiTokenClaims, connectionUuid: string) {
    const { iat, jti: _, integration_id: __, session_started_at: startedAt = iat, ...claims } = before;
    const exp = Math.max(before.exp, this.tokens.seconds + AT_LEAST_SECONDS);
    return {
      ...claims,
      connection_uuid: connectionUuid,
      session_started_at: startedAt,
      exp: Math.min(exp, startedAt + SESSION_SECONDS),
    };
  }
}

/** The session that a link made with an API key, or by a session of the console, begins, when the user presses Continue (decisions 3). */
function sessionOf({ flow }: CompletedFlow, { uuid, identityUuid }: Connection): UiTokenClaims {
  const iat = Math.floor(flow.confirmedAt!.getTime() / 1000);
  return {
    sub: identityUuid,
    jti: randomUuid(),
    iat,
    exp: iat + TOKEN_SECONDS,
    key_uuid: flow.keyUuid!,
    session_generation: flow.sessionGeneration!,
    console_session: sessionOfActor(flow.actor),
    return_url: '', // a link has no return URL
    connection_uuid: uuid,
  };
}

function resultOf(outcome: AuthorizationOutcome): ResumedSessionView['result'] {
  if (outcome === 'AUTHORIZED') return 'success';
  return outcome === 'AUTHORIZATION_DENIED' ? 'cancelled' : 'error';
}
