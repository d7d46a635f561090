import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { forbidden, invalid, notFound } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { ConsoleSession } from '../console-session/console-session.entity';
import { EndConsoleSession } from './end-console-session';

/** `DELETE /v1/console/sessions/{session_uuid}` (decisions 3). */
@Injectable()
export class RevokeConsoleSession {
  constructor(
    private readonly em: EntityManager,
    private readonly endSession: EndConsoleSession,
  ) {}

  /**
   * @throws ApiError 422, 404 `SESSION_NOT_FOUND`, 403 `NOT_YOUR_SESSION` for a developer and a session of the support team or of
   * another environment
   */
  async revoke({ session: own, environmentUuid, actor }: Caller, uuid: string): Promise<void> {
    if (!isUuid(uuid)) throw invalid([{ field: 'session_uuid', code: 'INVALID_UUID' }]);
    const session = await this.em.fork().findOne(ConsoleSession, uuid);
    if (!session) throw notFound('SESSION_NOT_FOUND');
    const isOwn = session.role === 'DEVELOPER' && session.environmentUuid === environmentUuid;
    if (own!.role !== 'SUPPORT' && !isOwn) throw forbidden('NOT_YOUR_SESSION');
    await this.endSession.end(actor, uuid, 'console.revoke');
  }
}
