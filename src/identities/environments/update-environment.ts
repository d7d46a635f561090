import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { Environment } from './environment.entity';

/** What can be changed of an environment beside its provisioning; what is left out stays. */
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
    | 'pushLimitBytes'
    | 'theme'
  >
>;

/** Changes an environment's settings (decisions 4 and 7). Members of the theme are changed one by one. */
@Injectable()
export class UpdateEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @throws Error with a sentence for the support team when there is no such environment or nothing to change */
  async run(actor: string, environmentUuid: string, change: EnvironmentChange): Promise<Environment> {
    const { theme, ...plain } = change;
    if (Object.keys(change).length === 0) throw new Error('Nothing was given to change.');
    return this.em.fork().transactional(async (em) => {
      const environment = await em.findOne(Environment, environmentUuid);
      if (!environment) throw new Error(`There is no environment ${environmentUuid}.`);
      const formerInterval = environment.fetchIntervalMinutes;
      Object.assign(environment, plain);
      // A longer one needs nothing: each connection takes it up after the date that it has.
      if (environment.fetchIntervalMinutes < formerInterval) environment.intervalShortenedAt = this.clock.now();
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
