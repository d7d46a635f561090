import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { newSecret } from './new-webhook';
import { lockWebhook } from './own-webhook';
import { RecordWebhookChange } from './record-webhook-change';
import type { UpdateWebhookDto } from './webhook.dto';
import { openWebhookSecrets, sealWebhookSecrets } from './secrets/webhook-secrets';
import { rotated, type Webhook } from './webhook.entity';

/** `PATCH /v1/webhooks/{uuid}`: what is left out stays as it is. */
@Injectable()
export class UpdateWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly clock: Clock,
    private readonly record: RecordWebhookChange,
  ) {}

  /** Answers the new secret if one was asked for. */
  async run(
    caller: Caller,
    { uuid }: Webhook,
    dto: UpdateWebhookDto,
  ): Promise<{ webhook: Webhook; secret: string | null }> {
    return this.em.fork().transactional(async (em) => {
      const webhook = await lockWebhook(em, uuid);
      const now = this.clock.now();
      webhook.url = dto.url ?? webhook.url;
      webhook.events = dto.events ?? webhook.events;
      if (dto.enabled === true) webhook.enable();
      if (dto.enabled === false) webhook.disable(now, 'BY_CLIENT');
      let secret: string | null = null;
      if (dto.rotate_secret) {
        secret = newSecret();
        const known = await openWebhookSecrets(em, this.vault, webhook);
        Object.assign(webhook, await sealWebhookSecrets(em, this.vault, webhook, rotated(known, secret, now)));
      }
      if (Object.keys(dto).length > 0) {
        webhook.updatedAt = now;
        this.record.run(em, caller.actor, webhook, 'update', {
          enabled: webhook.enabled,
          secret_rotated: secret !== null,
        });
      }
      return { webhook, secret };
    });
  }
}
