import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { forbidden, invalid, notFound } from '../../platform/errors/errors';
import { UpdateConnectionWebhookDto, UpdateWebhookDto } from './webhook.dto';
import { Webhook } from './webhook.entity';

interface WebhookRequest extends CallerRequest {
  ownWebhook?: Webhook;
}

/** Checks the webhook in the path: 422, 404 or 403. Runs before the body is validated (decisions 2). */
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
    assertNoIdentity(caller);
    request.ownWebhook = webhook;
    return true;
  }
}

/** For resources of the whole environment: 403 if a UI token, which is limited to one identity, is sent with the key. */
@Injectable()
export class EnvironmentKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    assertNoIdentity(context.switchToHttp().getRequest<CallerRequest>().caller!);
    return true;
  }
}

function assertNoIdentity(caller: Caller): void {
  if (caller.identityUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/** Loads and locks the webhook for a change. @throws ApiError 404 if it was deleted after the guard has read it */
export function lockWebhook(em: EntityManager, uuid: string): Promise<Webhook> {
  return em.findOneOrFail(Webhook, uuid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => notFound('WEBHOOK_NOT_FOUND'),
  });
}

/** Injects the webhook in the path. Requires {@link OwnWebhookGuard}. */
export const OwnWebhook = createParamDecorator((_: unknown, context: ExecutionContext): Webhook => {
  return context.switchToHttp().getRequest<WebhookRequest>().ownWebhook!;
});

/** The DTO class for an update of the webhook in the path. Requires {@link OwnWebhookGuard}. */
export const updateWebhookBody = (_: Caller, { ownWebhook }: WebhookRequest): Type<UpdateWebhookDto> =>
  ownWebhook!.connectionUuid ? UpdateConnectionWebhookDto : UpdateWebhookDto;

/** Errors of the guards, for `@ApiErrors`. */
export const NOT_OWN_WEBHOOK: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_YOUR_WEBHOOK',
  'NOT_ALLOWED_BY_TOKEN',
  'WEBHOOK_NOT_FOUND',
];
export const KEY_WITH_TOKEN: readonly ErrorCode[] = ['NOT_ALLOWED_BY_TOKEN'];
