import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { DisabledReason, Webhook } from './webhook.entity';

/** Disables a webhook that the caller's transaction has locked, and discards the events that wait for it. */
export async function disableWebhook(
  em: EntityManager,
  webhook: Webhook,
  now: Date,
  reason: DisabledReason,
): Promise<void> {
  if (!webhook.enabled) return;
  webhook.disable(now, reason);
  await em.flush();
  await discardWaitingEvents(em, webhook.uuid);
}

/** Discards the events that wait for a disabled webhook. Their entries in its log say so. */
export async function discardWaitingEvents(em: EntityManager, webhookUuid: string): Promise<void> {
  await sql(
    em,
    `update webhook_delivery d set state = 'FAILED', error_code = 'WEBHOOK_DISABLED'
     from webhook w
     where w.uuid = $1 and w.disabled_at is not null and d.webhook_uuid = w.uuid and d.state = 'WAITING'`,
    [webhookUuid],
  );
}
