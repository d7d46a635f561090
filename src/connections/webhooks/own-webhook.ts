import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { Refusals } from '../../platform/openapi/error-bodies';
import { forbidden, invalid, notFound } from '../../platform/errors/errors';
import { UpdateConnectionWebhookDto, UpdateWebhookDto } from './webhook.dto';
import { Webhook } from './webhook.entity';

interface WebhookRequest extends CallerRequest {
  ownWebhook?: Webhook;
}

/** The only place that answers 422, 404 and 403 for a webhook in the path; runs before bodies are looked at (decisions 2). */
@Injectable()
export class OwnWebhookGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<WebhookRequest>();
    const caller = request.caller!;
    const uuid = request.params.uuid as string;
    if (!isUuid(uuid)) throw invalid([{ field: 'uuid', code: 'INVALID_UUID' }]);
    const webhook = await this.em.findOne(Webhook, uuid);
    if (!webhook) throw notFound('WEBHOOK_NOT_FOUND');
    if (webhook.environmentUuid !== caller.environmentUuid) throw forbidden('NOT_YOUR_WEBHOOK');
    assertWholeEnvironment(caller);
    request.ownWebhook = webhook;
    return true;
  }
}

/** For what concerns all of an environment: 403 when a UI token, which is for one identity only, came beside the key. */
@Injectable()
export class WholeEnvironmentGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    assertWholeEnvironment(context.switchToHttp().getRequest<CallerRequest>().caller!);
    return true;
  }
}

function assertWholeEnvironment(caller: Caller): void {
  if (caller.identityUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/** The webhook's row, locked for a change. @throws ApiError 404 when it has been deleted since it was permitted */
export function lockWebhook(em: EntityManager, uuid: string): Promise<Webhook> {
  return em.findOneOrFail(Webhook, uuid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => notFound('WEBHOOK_NOT_FOUND'),
  });
}

/** The webhook of the path, already permitted. Needs {@link OwnWebhookGuard}. */
export const OwnWebhook = createParamDecorator((_: unknown, context: ExecutionContext): Webhook => {
  return context.switchToHttp().getRequest<WebhookRequest>().ownWebhook!;
});

/** What a change of the webhook of the path may hold. Needs {@link OwnWebhookGuard}. */
export const bodyOfUpdate = (_: Caller, { ownWebhook }: WebhookRequest): Type<UpdateWebhookDto> =>
  ownWebhook!.connectionUuid ? UpdateConnectionWebhookDto : UpdateWebhookDto;

/** How the guards refuse, for `@ApiErrors`. */
export const NOT_OWN_WEBHOOK: Refusals = {
  403: ['NOT_YOUR_WEBHOOK', 'NOT_ALLOWED_BY_TOKEN'],
  404: ['WEBHOOK_NOT_FOUND'],
};
export const NOT_WHOLE_ENVIRONMENT: Refusals = { 403: ['NOT_ALLOWED_BY_TOKEN'] };
