import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import type { SigningSecret } from '../../identities/environments/environment.entity';
import { newSigningSecret } from '../../identities/environments/signing/signing-secret';
import type { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import type { CreateWebhookDto } from './webhook.dto';
import { encryptWebhookSecrets } from './webhook-secrets';
import { EVENT_TYPES, type EventType, Webhook } from './webhook.entity';

/** Events of a registration that does not specify any. */
const DEFAULT_EVENTS: readonly EventType[] = [EVENT_TYPES[0]];

export const eventsOrDefault = (dto: CreateWebhookDto): readonly EventType[] => dto.events ?? DEFAULT_EVENTS;

/** Creates a registration with a new secret in the caller's transaction. The caller shows the secret once. */
export function buildWebhook(
  em: EntityManager,
  keyManager: KeyManager,
  given: {
    environmentUuid: string;
    /** Of the environment. */
    dataKey: KeyRing;
    connectionUuid: string | null;
    dto: CreateWebhookDto;
    now: Date;
  },
): { webhook: Webhook; secret: string } {
  const { environmentUuid, dataKey, connectionUuid, dto, now } = given;
  const secret = newSigningSecret();
  const secrets: SigningSecret[] = [{ secret, retiresAt: null }];
  const id = { uuid: uuid(), environmentUuid };
  const webhook = em.create(Webhook, {
    ...id,
    connectionUuid,
    url: dto.url,
    events: eventsOrDefault(dto),
    secrets: encryptWebhookSecrets(keyManager, dataKey, id, secrets),
    disabledAt: null,
    disabledReason: null,
    consecutiveFailures: 0,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  });
  em.persist(webhook);
  return { webhook, secret };
}
