import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import { affected, sql, storableText } from '../../platform/database/sql';
import { forbidden, invalid, unauthorized } from '../../platform/errors/errors';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { ConsoleSession } from '../console-session/console-session.entity';
import { readSessionCookie, SESSION_SECONDS } from '../console-session/session-cookie';
import { crossOriginOf } from '../cross-origin/cross-origin';
import { AuthFailureLimit } from '../guards/auth-failure-limit';
import { ApiKey } from '../keys/api-key.entity';
import { AuthenticateKey } from '../keys/authenticate-key';
import type { OpenConsoleSessionDto } from './console-session.dto';

const MAX_USER_AGENT = 256;

/** Who signs in. */
type SignIn = Pick<ConsoleSession, 'role' | 'environmentUuid' | 'openedBy' | 'keyUuid' | 'expiresAt'>;

export interface OpenedConsoleSession {
  readonly session: ConsoleSession;
  /** The value of the cookie. */
  readonly secret: string;
}

/** `POST /v1/console/session` (decisions 3): signs in with a link, once, or with an API key. */
@Injectable()
export class OpenConsoleSession {
  constructor(
    private readonly em: EntityManager,
    private readonly authenticateKey: AuthenticateKey,
    private readonly failures: AuthFailureLimit,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /**
   * Ends the session that the browser had.
   * @throws ApiError 403 `ORIGIN_NOT_ALLOWED` for a page of another origin, which could sign a user in as somebody else; 401
   * `INVALID_CONSOLE_LINK` or `INVALID_API_KEY`; LimitExceeded 429 after too many of the latter from one address
   */
  async open({ link, api_key: key }: OpenConsoleSessionDto, request: Request): Promise<OpenedConsoleSession> {
    if (crossOriginOf(request, this.settings.publicUrl) !== null) throw forbidden('ORIGIN_NOT_ALLOWED');
    if (link != null && key != null) throw invalid([{ field: 'api_key', code: 'INVALID_VALUE' }]);
    if (link == null && key == null) throw invalid([{ field: 'link', code: 'REQUIRED' }]);
    try {
      return await this.em.fork().transactional(async (em) => {
        const signIn = link != null ? await this.useLink(em, link) : await this.useKey(em, key!);
        await this.endFormer(em, request);
        return this.create(em, signIn, request);
      });
    } catch (error) {
      await this.failures.count(request, error);
      throw error;
    }
  }

  /** Of concurrent requests with one link, the row lock lets exactly one succeed. */
  private async useLink(em: EntityManager, link: string): Promise<SignIn> {
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

  private async useKey(em: EntityManager, key: string): Promise<SignIn> {
    const { environmentUuid, actor, credential } = await this.authenticateKey.authenticate(key);
    const { expiresAt: keyEnds } = await em.findOneOrFail(ApiKey, credential);
    const latest = this.clock.in(SESSION_SECONDS);
    const expiresAt = keyEnds && keyEnds < latest ? keyEnds : latest;
    return { role: 'DEVELOPER', environmentUuid, openedBy: actor, keyUuid: credential, expiresAt };
  }

  private async endFormer(em: EntityManager, { headers }: Request): Promise<void> {
    const secret = readSessionCookie(headers.cookie, this.settings.publicUrl);
    if (secret === null) return;
    const statement = 'update console_session set revoked_at = $2 where digest = $1 and revoked_at is null';
    await affected(em, statement, [digestOf(secret), this.clock.now()]);
  }

  private create(em: EntityManager, signIn: SignIn, { headers }: Request): OpenedConsoleSession {
    const secret = newSecret();
    const now = this.clock.now();
    const session = em.create(ConsoleSession, {
      ...signIn,
      uuid: uuid(),
      digest: digestOf(secret),
      userAgent: storableText((headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT)) || null,
      createdAt: now,
      lastUsedAt: now,
    });
    em.persist(session);
    this.audit.record(em, {
      environmentUuid: signIn.environmentUuid,
      actor: signIn.openedBy,
      action: 'console.sign-in',
      subjectUuid: session.uuid,
      details: { role: signIn.role },
    });
    return { session, secret };
  }
}
