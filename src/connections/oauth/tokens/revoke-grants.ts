import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { IntegrationRegistry } from '../../../integrations/integration-registry';
import { OAuthClient } from '../../../integrations/shared/oauth/oauth-client';
import { usesOAuth } from '../../../integrations/shared/oauth/registered-client';
import { isServed } from '../../../identities/environments/is-served';
import { Clock } from '../../../platform/clock/clock';
import { Encrypted } from '../../../platform/crypto/encrypted';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { affected, sql } from '../../../platform/database/sql';
import { Recurring } from '../../../platform/jobs/recurring-work';
import { OAUTH_REVOCATION } from './oauth-grant.entity';

/** Maximum revocations per poll. */
const BATCH = 20;
/** An unavailable provider is retried after 1, 2, 4 … minutes, for one hour. Then the revocation is dropped. */
const MAX_ATTEMPTS = 6;

interface DueRevocation {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly integration_id: string;
  readonly revocation_token: Buffer;
  readonly attempts: number;
  readonly in_use: boolean;
}

/**
 * Revokes grants at their providers after their connections were deleted, alone or with their identity (decisions 4, best
 * effort). Providers revoke all grants of an account at once, so the grant of an account with another connection is kept.
 */
@Injectable()
export class RevokeGrants {
  private readonly logger = new Logger(RevokeGrants.name);

  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
    private readonly integrations: IntegrationRegistry,
  ) {}

  /** Processes the due revocations and returns their number. Usually costs one lookup in an empty index. */
  @Recurring({ everyMs: 5_000, failure: 'Revoking grants failed' })
  async revokeDue(): Promise<number> {
    // Reschedules before the attempt: if this process dies, another one retries later.
    const due = await sql<DueRevocation>(
      this.em.fork(),
      `update oauth_revocation r set attempts = attempts + 1, due_at = $1::timestamptz + make_interval(mins => (2 ^ attempts)::int)
       where uuid in (select uuid from oauth_revocation due where due_at <= $1 and ${isServed('due.environment_uuid')} order by due_at limit ${BATCH} for update skip locked)
       returning uuid, environment_uuid, integration_id, revocation_token, attempts, exists (
         select 1 from oauth_grant g where g.integration_id = r.integration_id and g.account_digest = r.account_digest) as in_use`,
      [this.clock.now()],
    );
    await Promise.all(due.map((each) => this.revoke(each)));
    return due.length;
  }

  private async revoke(due: DueRevocation): Promise<void> {
    try {
      const integration = this.integrations.get(due.integration_id);
      if (!due.in_use && usesOAuth(integration)) {
        const key = await this.keyManager.key(this.em.fork(), due.environment_uuid);
        const token = this.keyManager.decrypt<string>(
          key,
          OAUTH_REVOCATION,
          new Encrypted(Buffer.from(due.revocation_token)),
        );
        await this.client.revoke(integration, token);
      }
    } catch (error) {
      this.logger.warn({ integration: due.integration_id, error: String(error) }, 'A grant could not be revoked');
      if (due.attempts < MAX_ATTEMPTS) return;
    }
    await affected(this.em.fork(), 'delete from oauth_revocation where uuid = $1', [due.uuid]);
  }
}
