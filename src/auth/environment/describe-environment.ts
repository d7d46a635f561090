import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { FETCH_NOW } from '../../connections/state/fetch-now-quota';
import { readUsage } from '../../fetches/history/monthly-usage';
import { Environment } from '../../identities/environments/environment.entity';
import { redactUrl } from '../../identities/environments/redact-url';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { unprocessable } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { RETENTION_DAYS } from '../../platform/history/retention-class';
import { readCircuit } from '../../provisioning/circuit/circuit-breaker';
import { ApiKey } from '../keys/api-key.entity';
import { keyLimitsView } from '../keys/api-key.view';
import type { EnvironmentView, ProvisioningView } from './environment.view';

/** `GET /v1/environment` (decisions 9): the caller's environment, without secrets. */
@Injectable()
export class DescribeEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Requires a caller with only an API key, or with a session of the console.
   * @throws ApiError 422 `NO_API_KEY` for a session when the environment never had a key
   */
  async describe({ environmentUuid, keyUuid }: Caller): Promise<EnvironmentView> {
    const em = this.em.fork();
    const now = this.clock.now();
    const environment = await em.findOneOrFail(Environment, environmentUuid);
    // A session acts with the newest valid key. Without a valid one, the latest key shows the support team the reason.
    const key = await em.findOne(ApiKey, keyUuid ?? { environmentUuid }, { orderBy: { uuid: 'desc' } });
    if (!key) throw unprocessable('NO_API_KEY');
    return {
      environment_uuid: environment.uuid,
      client_name: environment.clientName,
      name: environment.name,
      kind: environment.kind,
      provisioning: await this.provisioning(em, environment, now),
      limits: {
        requests_per_minute: this.settings.rateLimitPerKey,
        manual_fetches_per_hour: FETCH_NOW.limit,
        push_limit_bytes: environment.pushLimitBytes,
      },
      retention: {
        content_days: environment.retentionDays,
        content_after_delivery_days: environment.retentionDeliveredDays,
        history_days: RETENTION_DAYS[environment.retentionClass],
        audit_days: RETENTION_DAYS.LONG,
      },
      text_extraction: environment.textExtraction,
      hold_duplicates: environment.holdDuplicates,
      expected_documents: environment.expectedDocuments,
      mail_policy: environment.mailPolicy,
      return_origins: environment.returnOrigins,
      embedding_origins: environment.embeddingOrigins,
      browser_origins: environment.browserOrigins,
      api_key: {
        prefix: key.prefix,
        last_four: key.lastFour,
        expires_at: key.expiresAt?.toISOString() ?? null,
        ...keyLimitsView(key),
      },
      usage: { month: now.toISOString().slice(0, 7), ...(await readUsage(em, environmentUuid, now)) },
    };
  }

  private async provisioning(em: EntityManager, environment: Environment, now: Date): Promise<ProvisioningView> {
    const { circuit, failingSince } = await readCircuit(em, environment.uuid, now);
    return {
      strategy: environment.strategy,
      url: environment.provisioningUrl ? redactUrl(environment.provisioningUrl) : null,
      circuit,
      failing_since: failingSince?.toISOString() ?? null,
    };
  }
}
