import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changedUrl } from '../../identities/environments/redact-url';
import { GRACE_HOURS } from '../../identities/environments/setting-limits';
import { newSigningSecret, retirementAfter, rotateSecrets } from '../../identities/environments/signing/signing-secret';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Caller } from '../../platform/http/access/access.decorator';
import { disableWebhook } from './disable-webhook';
import { lockWebhook } from './webhook-resource';
import { WebhookChangeLog } from './webhook-change-log';
import type { UpdateWebhookDto } from './webhook.dto';
import { decryptWebhookSecrets, encryptWebhookSecrets } from './webhook-secrets';
import type { Webhook } from './webhook.entity';

/** `PATCH /v1/webhooks/{uuid}`: omitted members stay unchanged. */
@Injectable()
export class UpdateWebhook {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly changes: WebhookChangeLog,
  ) {}

  /** Returns the new secret if one was requested. */
  async update(
    caller: Caller,
    { uuid, environmentUuid }: Webhook,
    dto: UpdateWebhookDto,
  ): Promise<{ webhook: Webhook; secret: string | null }> {
    const dataKey = dto.rotate_secret ? await this.keyManager.key(this.em.fork(), environmentUuid) : null;
    return this.em.fork().transactional(async (em) => {
      const webhook = await lockWebhook(em, uuid);
      const now = this.clock.now();
      webhook.url = changedUrl(webhook.url, dto.url ?? webhook.url);
      webhook.events = dto.events ?? webhook.events;
      if (dto.enabled === true) webhook.enable();
      if (dto.enabled === false) await disableWebhook(em, webhook, now, 'BY_CLIENT');
      let secret: string | null = null;
      if (dataKey) {
        secret = newSigningSecret();
        const known = decryptWebhookSecrets(this.keyManager, dataKey, webhook);
        const secrets = rotateSecrets(known, secret, now, retirementAfter(now, GRACE_HOURS.default));
        webhook.secrets = encryptWebhookSecrets(this.keyManager, dataKey, webhook, secrets);
      }
      if (Object.keys(dto).length > 0) {
        webhook.updatedAt = now;
        this.changes.record(em, caller.actor, webhook, 'update', {
          enabled: webhook.enabled,
          secret_rotated: secret !== null,
        });
      }
      return { webhook, secret };
    });
  }
}
