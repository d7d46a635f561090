import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import { decryptWebhookSecrets } from '../../connections/webhooks/webhook-secrets';
import type { Encrypted } from '../../platform/crypto/encrypted';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import type { SpanCauses } from '../../platform/request/span';
import { currentSpan, withLogFields } from '../../platform/request/work-scope';
import type { SpanOptions } from '../../platform/tracing/tracer';
import { Tracing } from '../../platform/tracing/tracing';
import { runInEnglish } from '../../platform/i18n/run-in-english';
import { renderEvent } from './render-event';
import { RecordWebhookResult } from './record-webhook-result';
import { WebhookClient } from './webhook-client';
import { WebhookDelivery } from './webhook-delivery.entity';

/** A claimed delivery with its target. */
export interface ClaimedDelivery extends SpanCauses {
  readonly uuid: string;
  readonly eventUuid: string;
  readonly webhookUuid: string;
  readonly environmentUuid: string;
  readonly url: string;
  readonly secrets: Encrypted;
}

/** Sends one claimed event and records the result. */
@Injectable()
export class SendEvent {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly i18n: I18nService,
    private readonly client: WebhookClient,
    private readonly results: RecordWebhookResult,
    private readonly tracing: Tracing,
  ) {}

  /**
   * `dataKey` is that of the environment. `onRequestStart` is called when only the receiver is waited for. Returns whether the receiver has
   * responded.
   */
  send(claimed: ClaimedDelivery, dataKey: KeyRing, cut: AbortSignal, onRequestStart: () => void): Promise<boolean> {
    const { eventUuid, webhookUuid, environmentUuid, traceparent: parent, linkedTraceparent: link } = claimed;
    const fields = { event_uuid: eventUuid, webhook_uuid: webhookUuid, environment_uuid: environmentUuid };
    const describe = (): SpanOptions => ({
      kind: 'CLIENT',
      parent,
      link,
      attributes: {
        'docfetch.event_uuid': eventUuid,
        'docfetch.webhook_uuid': webhookUuid,
        'docfetch.environment_uuid': environmentUuid,
        'http.request.method': 'POST',
      },
    });
    const attempt = () => this.attempt(claimed, dataKey, cut, onRequestStart);
    return withLogFields(fields, () => this.tracing.run('webhook', describe, attempt));
  }

  private async attempt(
    claimed: ClaimedDelivery,
    dataKey: KeyRing,
    cut: AbortSignal,
    onRequestStart: () => void,
  ): Promise<boolean> {
    const em = this.em.fork();
    const event = await runInEnglish(this.i18n, () => renderEvent(em, claimed.eventUuid));
    if (!event) {
      // The subject has been deleted meanwhile: there is nothing to send or to keep.
      await em.nativeDelete(WebhookDelivery, { uuid: claimed.uuid });
      return true;
    }
    const secrets = decryptWebhookSecrets(this.keyManager, dataKey, { ...claimed, uuid: claimed.webhookUuid });
    const result = await this.client.send(claimed, secrets, claimed.eventUuid, event, { cut, onRequestStart });
    const span = currentSpan();
    span?.set({ 'http.response.status_code': result.status });
    if (result.errorCode) span?.fail(result.errorCode);
    await this.results.record(claimed, result);
    return result.status !== null;
  }
}
