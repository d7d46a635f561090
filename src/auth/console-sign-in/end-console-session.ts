import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { ConsoleSession } from '../console-session/console-session.entity';

/** Ends a session of the console (decisions 3), immediately in every process. */
@Injectable()
export class EndConsoleSession {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Does nothing when it has ended already. @throws Error with a message for the support team when there is no such session */
  async end(
    actor: string,
    sessionUuid: string,
    action: 'console.sign-out' | 'console.revoke',
  ): Promise<ConsoleSession> {
    return this.em.fork().transactional(async (em) => {
      const session = await em.findOne(ConsoleSession, sessionUuid);
      if (!session) throw new Error(`There is no session ${sessionUuid}.`);
      if (session.revokedAt) return session;
      session.revokedAt = this.clock.now();
      const { environmentUuid } = session;
      this.audit.record(em, { environmentUuid, actor, action, subjectUuid: sessionUuid });
      return session;
    });
  }
}
