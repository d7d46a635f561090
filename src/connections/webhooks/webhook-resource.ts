import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { notFound } from '../../platform/errors/errors';
import { defineResource } from '../../platform/http/access/resource';
import { Webhook } from './webhook.entity';

/** A webhook belongs to the environment, even if it is for one connection. */
export const WEBHOOK = defineResource({
  parameter: { name: 'uuid', description: 'The webhook.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' },
  notFound: 'WEBHOOK_NOT_FOUND',
  notYours: 'NOT_YOUR_WEBHOOK',
  belongsTo: 'environment',
  find: (em, uuid) => em.findOne(Webhook, uuid),
  ownerOf: ({ environmentUuid }: Webhook) => ({ environmentUuid }),
});

/** Loads and locks the webhook for a change. @throws ApiError 404 if it was deleted after the guard has read it */
export function lockWebhook(em: EntityManager, uuid: string): Promise<Webhook> {
  return em.findOneOrFail(Webhook, uuid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: () => notFound('WEBHOOK_NOT_FOUND'),
  });
}
