import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { disableWebhook } from '../../connections/webhooks/disable-webhook';
import { lockWebhook } from '../../connections/webhooks/webhook-resource';
import { WebhookChangeLog } from '../../connections/webhooks/webhook-change-log';
import { FAILING_SECONDS_TO_DISABLE, FAILURES_TO_DISABLE } from '../../connections/webhooks/webhook.entity';
import { Clock } from '../../platform/clock/clock';
import { affected, sql } from '../../platform/database/sql';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import { WEBHOOK_INTERRUPTED, type WebhookResult } from './webhook-client';

/**
 * Records the result of sending an event. A registration that fails permanently is disabled, as its events do not
 * arrive.
 */
@Injectable()
export class RecordWebhookResult {
  private readonly logger = new Logger(RecordWebhookResult.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly changes: WebhookChangeLog,
    private readonly metrics: DeliveryMetrics,
  ) {}

  async record({ uuid, webhookUuid }: { uuid: string; webhookUuid: string }, result: WebhookResult): Promise<void> {
    this.metrics.recordWebhook(result);
    const { errorCode, status, durationMs } = result;
    const fields = { webhook_uuid: webhookUuid, status, duration_ms: durationMs };
    if (errorCode === null) this.logger.debug(fields, 'Event delivered');
    else this.logger.warn({ ...fields, error_code: errorCode }, 'Event not delivered');
    await this.em.fork().transactional(async (em) => {
      // Locks the registration before its deliveries, in the order of a deletion.
      await sql(em, 'select from webhook where uuid = $1 and ($2 or consecutive_failures > 0) for no key update', [
        webhookUuid,
        result.errorCode !== null,
      ]);
      const written = await affected(
        em,
        `update webhook_delivery set state = $2, duration_ms = $3, status = $4, error_code = $5, response_excerpt = $6
         where uuid = $1 and state = 'SENDING'`,
        [
          uuid,
          result.errorCode ? 'FAILED' : 'DELIVERED',
          result.durationMs,
          result.status,
          result.errorCode,
          result.responseExcerpt,
        ],
      );
      // Deleted meanwhile, or interrupted by us: not a failure of the receiver.
      if (written === 0 || result.errorCode === WEBHOOK_INTERRUPTED) return;
      if (result.errorCode === null) await this.recordSuccess(em, webhookUuid);
      else await this.recordFailure(em, webhookUuid);
    });
  }

  private async recordSuccess(em: EntityManager, webhookUuid: string): Promise<void> {
    await sql(
      em,
      `update webhook set consecutive_failures = 0, failing_since = null where uuid = $1 and consecutive_failures > 0`,
      [webhookUuid],
    );
  }

  private async recordFailure(em: EntityManager, webhookUuid: string): Promise<void> {
    const now = this.clock.now();
    const [webhook] = await sql<{ hopeless: boolean }>(
      em,
      `update webhook set consecutive_failures = consecutive_failures + 1, failing_since = coalesce(failing_since, $2)
       where uuid = $1 and disabled_at is null
       returning consecutive_failures >= ${FAILURES_TO_DISABLE}
         and failing_since <= $2::timestamptz - make_interval(secs => ${FAILING_SECONDS_TO_DISABLE}) as hopeless`,
      [webhookUuid, now],
    );
    if (!webhook?.hopeless) return;
    const failing = await lockWebhook(em, webhookUuid);
    failing.updatedAt = now;
    await disableWebhook(em, failing, now, 'FAILING');
    this.changes.record(em, 'service', failing, 'disable', { reason: 'FAILING' });
    this.logger.warn({ webhook_uuid: webhookUuid }, 'A webhook has failed for too long and is disabled');
  }
}
