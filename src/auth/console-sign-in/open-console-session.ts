import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/clock/clock';
import { digestOf } from '../../platform/crypto/signed-token';
import { sql } from '../../platform/database/sql';
import { invalid, unauthorized } from '../../platform/errors/errors';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { SESSION_SECONDS } from '../console-session/session-cookie';
import { AuthFailureLimit } from '../guards/auth-failure-limit';
import { ApiKey } from '../keys/api-key.entity';
import { AuthenticateKey } from '../keys/authenticate-key';
import type { OpenConsoleSessionDto } from './console-session.dto';
import { type SignedIn, StartConsoleSession, type StartedConsoleSession } from './start-console-session';

/** `POST /v1/console/session` (decisions 3): signs in with a link, once, or with an API key. */
@Injectable()
export class OpenConsoleSession {
  constructor(
    private readonly em: EntityManager,
    private readonly authenticateKey: AuthenticateKey,
    private readonly startSession: StartConsoleSession,
    private readonly failures: AuthFailureLimit,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ApiError 422 unless exactly one of link and key was sent; 401 `INVALID_CONSOLE_LINK` or `INVALID_API_KEY`; 403 `ADDRESS_NOT_ALLOWED`; LimitExceeded 429
   * after too many of the latter from one address
   */
  async open({ link, api_key: key }: OpenConsoleSessionDto, request: Request): Promise<StartedConsoleSession> {
    if (link != null && key != null) throw invalid([{ field: 'api_key', code: 'INVALID_VALUE' }]);
    if (link == null && key == null) throw invalid([{ field: 'link', code: 'REQUIRED' }]);
    try {
      return await this.em.fork().transactional(async (em) => {
        const signedIn = link != null ? await this.useLink(em, link) : await this.useKey(em, key!, request.ip);
        return this.startSession.start(em, signedIn, request);
      });
    } catch (error) {
      await this.failures.count(request, error);
      throw error;
    }
  }

  /** Of concurrent requests with one link, the row lock lets exactly one succeed. */
  private async useLink(em: EntityManager, link: string): Promise<SignedIn> {
    const [found] = await sql<{ role: ConsoleRole; environment_uuid: string; created_by: string }>(
      em,
      `update console_link set used_at = $2 where digest = $1 and used_at is null and expires_at > $2
       returning role, environment_uuid, created_by`,
      [digestOf(link), this.clock.now()],
    );
    if (!found) throw unauthorized('INVALID_CONSOLE_LINK');
    const { role, environment_uuid: environmentUuid, created_by: openedBy } = found;
    return { role, environmentUuid, openedBy, keyUuid: null, expiresAt: this.clock.in(SESSION_SECONDS) };
  }

  private async useKey(em: EntityManager, key: string, address: string | undefined): Promise<SignedIn> {
    const { environmentUuid, actor, credential } = await this.authenticateKey.authenticate(key, address);
    const { expiresAt: keyEnds } = await em.findOneOrFail(ApiKey, credential);
    const latest = this.clock.in(SESSION_SECONDS);
    const expiresAt = keyEnds && keyEnds < latest ? keyEnds : latest;
    return { role: 'DEVELOPER', environmentUuid, openedBy: actor, keyUuid: credential, expiresAt };
  }
}
