import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { Recurring } from '../../../platform/jobs/recurring-work';
import { Webhook } from '../webhook.entity';
import { decryptWebhookSecrets, encryptWebhookSecrets } from './webhook-secrets';

/** Webhooks that are re-encrypted in one transaction. */
const BATCH = 100;

/** Re-encrypts the secrets of webhooks that an earlier version registered, so that each ciphertext is bound to its row. */
@Injectable()
export class ReencryptWebhookSecrets {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
  ) {}

  /**
   * Returns the number of re-encrypted webhooks. Costs one lookup in an empty index once all are bound.
   * @throws AggregateError of those that cannot be decrypted, after the others are done
   */
  @Recurring({ everyMs: 60_000, failure: 'Re-encrypting webhook secrets failed' })
  async reencrypt(): Promise<number> {
    const failures: unknown[] = [];
    let bound = 0;
    for (let after: string | undefined, more = true; more;) {
      const batch = await this.reencryptBatch(after, failures);
      bound += batch.bound;
      after = batch.last;
      more = after !== undefined;
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `The secrets of ${failures.length} webhooks cannot be decrypted.`);
    return bound;
  }

  private reencryptBatch(
    after: string | undefined,
    failures: unknown[],
  ): Promise<{ bound: number; last: string | undefined }> {
    return this.em.fork().transactional(async (em) => {
      const webhooks = await em.find(
        Webhook,
        { secretsBound: false, ...(after !== undefined && { uuid: { $gt: after } }) },
        { orderBy: { uuid: 'asc' }, limit: BATCH, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      let bound = 0;
      for (const webhook of webhooks) {
        try {
          const secrets = await decryptWebhookSecrets(em, this.vault, webhook);
          Object.assign(webhook, await encryptWebhookSecrets(em, this.vault, webhook, secrets));
          bound += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      return { bound, last: webhooks.at(-1)?.uuid };
    });
  }
}
