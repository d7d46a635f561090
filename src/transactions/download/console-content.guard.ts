import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Audit } from '../../platform/audit/audit';
import { forbidden } from '../../platform/errors/errors';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import type { Transaction } from '../record/transaction.entity';

/**
 * For the content of documents: a session of the console, and a UI token that one has issued, open it only where the environment permits
 * that, and each time is recorded in the audit log before a byte is sent (decisions 3). Keys and the UI tokens of keys pass.
 */
@Injectable()
export class ConsoleContentGuard implements CanActivate {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @throws ApiError 403 `CONSOLE_CONTENT_FORBIDDEN` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { caller, resource, params } = context.switchToHttp().getRequest<CallerRequest>();
    const { actor, session, consoleSessionUuid } = caller!;
    if (consoleSessionUuid === undefined) return true;
    const { uuid, environmentUuid } = resource as Transaction;
    const em = this.em.fork();
    const { consoleContent } = await em.findOneOrFail(Environment, environmentUuid);
    if (!consoleContent) throw forbidden('CONSOLE_CONTENT_FORBIDDEN');
    // In a transaction, as only those wait for or are refused by the fence of the environment (`guardTransactions`).
    await em.transactional((tx) =>
      this.audit.insert(tx, {
        environmentUuid,
        actor,
        action: 'document.open',
        subjectUuid: uuid,
        details: {
          ...(params.rendition_id !== undefined && { rendition_id: params.rendition_id }),
          // With a token, the actor is the identity: usually a user who was sent a link.
          ...(!session && { console_session_uuid: consoleSessionUuid }),
        },
      }),
    );
    return true;
  }
}
