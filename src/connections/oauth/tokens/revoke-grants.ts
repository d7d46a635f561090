import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { IntegrationRegistry } from '../../../integrations/integration-registry';
import { OAuthClient, usesOAuth } from '../../../integrations/shared/oauth/oauth-client';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { Encrypted } from '../../../platform/crypto/encrypted';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { affected, sql } from '../../../platform/database/sql';
import { nonOverlapping } from '../../../platform/jobs/non-overlapping';
import { OAUTH_REVOCATION } from './oauth-grant.entity';

/** What one look takes at once. */
const BATCH = 20;
/** A provider that is away is asked again: after one, two, four … minutes, for an hour. Then what is kept for it goes. */
const MOST_ATTEMPTS = 6;

interface Due {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly integration_id: string;
  readonly sealed: Buffer;
  readonly attempts: number;
  readonly in_use: boolean;
}

/**
 * Takes grants back at their providers once their connections are deleted, alone or with their identity (decisions 4, best
 * effort). A provider takes back all that one account has granted us, so one that is connected a second time is left alone.
 */
@Injectable()
export class RevokeGrants implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RevokeGrants.name);
  private readonly runOnce = nonOverlapping(() => this.run(), this.logger, 'Grants could not be taken back');

  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly integrations: IntegrationRegistry,
  ) {}

  @Interval(5_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.runOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.runOnce.close();
  }

  /** Costs one look into an empty index unless a connection has been deleted a moment ago. Answers how many it took up. */
  async run(): Promise<number> {
    // Moved on first: whoever dies in the middle leaves the next try to somebody else.
    const due = await sql<Due>(
      this.em.fork(),
      `update oauth_revocation r set attempts = attempts + 1, due_at = $1::timestamptz + make_interval(mins => (2 ^ attempts)::int)
       where uuid in (select uuid from oauth_revocation where due_at <= $1 order by due_at limit ${BATCH} for update skip locked)
       returning uuid, environment_uuid, integration_id, sealed, attempts, exists (
         select 1 from oauth_grant g where g.integration_id = r.integration_id and g.account_digest = r.account_digest) as in_use`,
      [this.clock.now()],
    );
    await Promise.all(due.map((each) => this.one(each)));
    return due.length;
  }

  private async one(due: Due): Promise<void> {
    try {
      const integration = this.integrations.get(due.integration_id);
      if (!due.in_use && usesOAuth(integration)) {
        const key = await this.vault.key(this.em.fork(), due.environment_uuid);
        const token = this.vault.decrypt<string>(key, OAUTH_REVOCATION, new Encrypted(Buffer.from(due.sealed)));
        await this.client.revoke(integration, token);
      }
    } catch (error) {
      this.logger.warn(`A grant at ${due.integration_id} could not be taken back: ${String(error)}`);
      if (due.attempts < MOST_ATTEMPTS) return;
    }
    await affected(this.em.fork(), 'delete from oauth_revocation where uuid = $1', [due.uuid]);
  }
}
