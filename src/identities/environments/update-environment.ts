import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { createPartitions } from '../../platform/history/create-partitions';
import { Environment } from './environment.entity';

/** Changes to an environment, except its provisioning; omitted settings stay unchanged. */
export type EnvironmentChange = Partial<
  Pick<
    Environment,
    | 'name'
    | 'fetchIntervalMinutes'
    | 'returnOrigins'
    | 'embeddingOrigins'
    | 'browserOrigins'
    | 'retentionDays'
    | 'retentionDeliveredDays'
    | 'retentionClass'
    | 'pushLimitBytes'
    | 'textExtraction'
    | 'holdDuplicates'
    | 'expectedDocuments'
    | 'consoleContent'
    | 'mailPolicy'
    | 'theme'
  >
>;

/** Changes an environment's settings (decisions 4 and 7). The members of the theme are merged. */
@Injectable()
export class UpdateEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @throws Error with a message for the support team when the environment does not exist or `change` is empty */
  async update(actor: string, environmentUuid: string, change: EnvironmentChange): Promise<Environment> {
    const { theme, ...plain } = change;
    if (Object.keys(change).length === 0) throw new Error('Nothing was given to change.');
    return this.em.fork().transactional(async (em) => {
      const environment = await em.findOne(Environment, environmentUuid);
      if (!environment) throw new Error(`There is no environment ${environmentUuid}.`);
      if (change.retentionClass) {
        await createPartitions((text, parameters) => sql(em, text, parameters), this.clock.now(), [
          change.retentionClass,
        ]);
      }
      const previousInterval = environment.fetchIntervalMinutes;
      Object.assign(environment, plain);
      // A longer interval needs no action: each connection applies it after its current next fetch time.
      if (environment.fetchIntervalMinutes < previousInterval) environment.intervalShortenedAt = this.clock.now();
      if (theme) environment.theme = { ...environment.theme, ...theme };
      environment.updatedAt = this.clock.now();
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'environment.update',
        subjectUuid: environmentUuid,
        details: change,
      });
      return environment;
    });
  }
}
