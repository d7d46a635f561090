import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Connection } from '../connections/connection.entity';
import { FlowStore } from '../connections/flow-store';
import type { Browser, Outcome } from '../connections/way-back';
import { unprocessable } from '../platform/http/errors';
import { say } from '../platform/http/say';
import type { ResumedSessionView } from './resumed-session.view';
import { type UiTokenClaims, UiTokens } from './ui-tokens';

/** However long the user took at the provider, there is time left for the second step. */
const AT_LEAST_SECONDS = 600;

/**
 * `POST /v1/ui/session/resume`: gives the hosted UI its session back after the way to a provider, on which it lost everything
 * it had in memory. The new token may do what the old one might, and ends with it, but not before ten minutes from now.
 */
@Injectable()
export class ResumeUiSession {
  constructor(
    private readonly em: EntityManager,
    private readonly flows: FlowStore,
    private readonly tokens: UiTokens,
  ) {}

  /** @throws ApiError 422 `RESUME_CODE_INVALID` when the code was used, is too old or is another browser's */
  async run(code: string, browser: Browser): Promise<ResumedSessionView> {
    const resumed = await this.flows.resume(code, browser);
    const connection = resumed && (await this.em.fork().findOne(Connection, resumed.connectionUuid));
    if (!resumed || !connection) throw unprocessable('RESUME_CODE_INVALID');
    const { outcome, session } = resumed;
    const { iat: _, jti: __, ...claims } = session as UiTokenClaims;
    const exp = Math.max(claims.exp, this.tokens.seconds + AT_LEAST_SECONDS);
    const { token, expiresAt } = this.tokens.sign({ ...claims, exp });
    return {
      token,
      expires_at: expiresAt.toISOString(),
      connection_uuid: connection.uuid,
      result: resultOf(outcome),
      code: outcome,
      message: say(`authorization.${outcome}`),
    };
  }
}

function resultOf(outcome: Outcome): ResumedSessionView['result'] {
  if (outcome === 'AUTHORIZED') return 'success';
  return outcome === 'AUTHORIZATION_DENIED' ? 'cancelled' : 'error';
}
