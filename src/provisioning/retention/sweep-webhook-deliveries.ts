import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { affected } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import { WEBHOOK_INTERRUPTED } from '../webhooks/webhook-client';

/** decisions 4: retention of the history; entries of the webhook log are removed then. */
export const HISTORY_DAYS = 90;
/** No request takes this long: the process that sent it has died. */
const SENDING_TIMEOUT_SECONDS = 300;
const BATCH = 5_000;

/** Closes deliveries that a dead process was sending, and removes old entries of the log. */
@Injectable()
export class SweepWebhookDeliveries {
  private readonly logger = new Logger(SweepWebhookDeliveries.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly metrics: DeliveryMetrics,
  ) {}

  @Recurring({ everyMs: 60_000, failure: 'The log of webhooks could not be swept' })
  async sweep(): Promise<void> {
    const lost = await affected(
      this.em.fork(),
      `update webhook_delivery set state = 'FAILED', error_code = $2 where state = 'SENDING' and sent_at < $1`,
      [this.clock.in(-SENDING_TIMEOUT_SECONDS), WEBHOOK_INTERRUPTED],
    );
    if (lost > 0) this.metrics.recordInterrupted(lost);
    if (lost > 0) this.logger.warn(`The sending of ${lost} events was interrupted; they are not sent again`);
    const before = this.clock.in(-HISTORY_DAYS * 86_400);
    for (let removed = BATCH; removed >= BATCH;) {
      removed = await affected(
        this.em.fork(),
        `delete from webhook_delivery where uuid in (
           select uuid from webhook_delivery where created_at < $1 and state in ('DELIVERED', 'FAILED') limit ${BATCH})`,
        [before],
      );
    }
  }
}
