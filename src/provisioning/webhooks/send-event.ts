import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import { openWebhookSecrets } from '../../connections/webhooks/secrets/webhook-secrets';
import type { Encrypted } from '../../platform/crypto/sealed';
import { KeyManager } from '../../platform/crypto/vault';
import { inEnglish } from '../../platform/i18n/in-english';
import { renderEvent } from './render-event';
import { RecordWebhookResult } from './record-webhook-result';
import { WebhookClient } from './webhook-client';
import { WebhookDelivery } from './webhook-delivery.entity';

/** An event that has been taken to be sent, with where to send it. */
export interface ClaimedDelivery {
  readonly uuid: string;
  readonly eventUuid: string;
  readonly webhookUuid: string;
  readonly environmentUuid: string;
  readonly url: string;
  readonly secrets: Encrypted;
  readonly secretsBound: boolean;
}

/** Sends one event that has been taken, and writes down how it ended. */
@Injectable()
export class SendEvent {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly i18n: I18nService,
    private readonly client: WebhookClient,
    private readonly results: RecordWebhookResult,
  ) {}

  /** `leaving` is called when only the receiver is waited for. Answers whether the receiver has answered at all. */
  async send(taken: ClaimedDelivery, cut: AbortSignal, leaving: () => void): Promise<boolean> {
    const em = this.em.fork();
    const event = await inEnglish(this.i18n, () => renderEvent(em, taken.eventUuid));
    if (!event) {
      // What it is about has been deleted meanwhile: there is nothing to tell, and nothing to keep.
      await em.nativeDelete(WebhookDelivery, { uuid: taken.uuid });
      return true;
    }
    const secrets = await openWebhookSecrets(em, this.vault, { ...taken, uuid: taken.webhookUuid });
    const result = await this.client.send(taken, secrets, taken.eventUuid, event, { cut, leaving });
    await this.results.record(taken, result);
    return result.status !== null;
  }
}
