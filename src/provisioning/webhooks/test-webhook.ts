import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { decryptWebhookSecrets } from '../../connections/webhooks/webhook-secrets';
import { WebhookChangeLog } from '../../connections/webhooks/webhook-change-log';
import type { Webhook } from '../../connections/webhooks/webhook.entity';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { retentionClassOf } from '../../platform/history/retention-class-of';
import { WebhookClient, type WebhookResult } from './webhook-client';
import { WebhookDelivery } from './webhook-delivery.entity';

/** `POST /v1/webhooks/{uuid}/test`: sends a `webhook.test` event while the caller waits, also to a disabled registration. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly client: WebhookClient,
    private readonly changes: WebhookChangeLog,
  ) {}

  /** The result does not affect the registration's failure count; the log shows it. */
  async sendTest(actor: string, webhook: Webhook): Promise<WebhookResult> {
    const em = this.em.fork();
    const now = this.clock.now();
    const dataKey = await this.keyManager.key(em, webhook.environmentUuid);
    const secrets = decryptWebhookSecrets(this.keyManager, dataKey, webhook);
    const delivery = em.create(WebhookDelivery, {
      uuid: uuid(),
      environmentUuid: webhook.environmentUuid,
      retentionClass: retentionClassOf(webhook.environmentUuid),
      webhookUuid: webhook.uuid,
      type: 'webhook.test',
      state: 'SENDING',
      createdAt: now,
      sentAt: now,
    });
    em.persist(delivery);
    this.changes.record(em, actor, webhook, 'test');
    await em.flush();
    const result = await this.client.send(webhook, secrets, delivery.messageId, {
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: { webhook_uuid: webhook.uuid },
    });
    const { status, errorCode, responseExcerpt, durationMs } = result;
    const state = errorCode ? 'FAILED' : 'DELIVERED';
    // Updates by key only: the registration may have been deleted meanwhile, and the row with it.
    await em.nativeUpdate(
      WebhookDelivery,
      { uuid: delivery.uuid },
      { state, status, errorCode, responseExcerpt, durationMs },
    );
    return result;
  }
}
