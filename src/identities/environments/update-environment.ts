import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { invalid } from '../../platform/errors/errors';
import { createPartitions } from '../../platform/history/create-partitions';
import type { Environment } from './environment.entity';
import { lockEnvironment, touch } from './lock-environment';

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

  /**
   * @param expectedUpdatedAt the version that the change is based on; null: any
   * @throws ApiError 422 when `change` is empty; 409 `ENVIRONMENT_CHANGED`
   * @throws Error with a message for the support team when the environment does not exist
   */
  async update(
    actor: string,
    environmentUuid: string,
    change: EnvironmentChange,
    expectedUpdatedAt: Date | null = null,
  ): Promise<Environment> {
    const { theme, ...plain } = change;
    if (Object.keys(change).length === 0) throw invalid([{ field: 'body', code: 'NOTHING_TO_CHANGE' }]);
    return this.em.fork().transactional(async (em) => {
      const environment = await lockEnvironment(em, environmentUuid, expectedUpdatedAt);
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
      touch(environment, this.clock.now());
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
