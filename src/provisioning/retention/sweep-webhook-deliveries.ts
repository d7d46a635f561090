import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { affected } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import { WEBHOOK_INTERRUPTED } from '../webhooks/webhook-client';

/** No request takes this long: the process that sent it has died. */
const SENDING_TIMEOUT_SECONDS = 300;

/** Closes deliveries that a dead process was sending. */
@Injectable()
export class SweepWebhookDeliveries {
  private readonly logger = new Logger(SweepWebhookDeliveries.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly metrics: DeliveryMetrics,
  ) {}

  @Recurring({ everyMs: 60_000, failure: 'Interrupted webhook deliveries could not be closed' })
  async sweep(): Promise<void> {
    const lost = await affected(
      this.em.fork(),
      `update webhook_delivery set state = 'FAILED', error_code = $2 where state = 'SENDING' and sent_at < $1`,
      [this.clock.in(-SENDING_TIMEOUT_SECONDS), WEBHOOK_INTERRUPTED],
    );
    if (lost > 0) this.metrics.recordInterrupted(lost);
    if (lost > 0) this.logger.warn({ events: lost }, 'The sending of events was interrupted: they are not sent again');
  }
}
