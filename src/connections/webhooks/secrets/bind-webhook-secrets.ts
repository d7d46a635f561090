import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../platform/config/settings';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { Webhook } from '../webhook.entity';
import { openWebhookSecrets, sealWebhookSecrets } from './webhook-secrets';

/** Webhooks that one database transaction seals again. */
const BATCH = 100;

/** Seals the secrets of webhooks that an earlier version has registered again, each for its own row. */
@Injectable()
export class BindWebhookSecrets implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BindWebhookSecrets.name);
  private readonly runOnce = nonOverlapping(
    () => this.run(),
    this.logger,
    'Secrets of webhooks could not be sealed again',
  );

  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly settings: Settings,
  ) {}

  @Interval(60_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.runOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.runOnce.close();
  }

  /**
   * Costs one look into an empty index once all are bound. Answers how many it sealed again.
   * @throws AggregateError of those that cannot be opened; the others are done by then
   */
  async run(): Promise<number> {
    const failures: unknown[] = [];
    let bound = 0;
    for (let after: string | undefined, more = true; more;) {
      const batch = await this.bind(after, failures);
      bound += batch.bound;
      after = batch.last;
      more = after !== undefined;
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} webhooks have secrets that do not open.`);
    return bound;
  }

  private bind(after: string | undefined, failures: unknown[]): Promise<{ bound: number; last: string | undefined }> {
    return this.em.fork().transactional(async (em) => {
      const webhooks = await em.find(
        Webhook,
        { secretsBound: false, ...(after !== undefined && { uuid: { $gt: after } }) },
        { orderBy: { uuid: 'asc' }, limit: BATCH, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      let bound = 0;
      for (const webhook of webhooks) {
        try {
          const secrets = await openWebhookSecrets(em, this.vault, webhook);
          Object.assign(webhook, await sealWebhookSecrets(em, this.vault, webhook, secrets));
          bound += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      return { bound, last: webhooks.at(-1)?.uuid };
    });
  }
}
