import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { EVENT_TYPES } from '../../connections/webhooks/webhook.entity';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { forbidden, invalid, notFound } from '../../platform/errors/errors';
import { OutboxEvent } from '../../platform/outbox/outbox';

interface EventRequest extends CallerRequest {
  ownEvent?: OutboxEvent;
}

/** Rejects an event in the path with 422, 404 or 403, before anything else is checked (decisions 2). */
@Injectable()
export class OwnEventGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<EventRequest>();
    const caller = request.caller!;
    const uuid = request.params.event_uuid as string;
    if (!isUuid(uuid)) throw invalid([{ field: 'event_uuid', code: 'INVALID_UUID' }]);
    // The table also holds entries of the timeline, which are never sent to webhooks.
    const event = await this.em.findOne(OutboxEvent, { uuid, type: { $in: [...EVENT_TYPES] } });
    if (!event) throw notFound('EVENT_NOT_FOUND');
    if (event.environmentUuid !== caller.environmentUuid) throw forbidden('NOT_YOUR_EVENT');
    if (caller.identityUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    request.ownEvent = event;
    request.belongsTo = [event.subjectUuid];
    return true;
  }
}

/** The event of the path, which the caller may access. Requires {@link OwnEventGuard}. */
export const OwnEvent = createParamDecorator((_: unknown, context: ExecutionContext): OutboxEvent => {
  return context.switchToHttp().getRequest<EventRequest>().ownEvent!;
});

/** The errors of the guard, for `@ApiErrors`. */
export const NOT_OWN_EVENT: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_YOUR_EVENT',
  'NOT_ALLOWED_BY_TOKEN',
  'EVENT_NOT_FOUND',
];
