import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import type { Scenario } from '../../integrations/shared/sandbox/scenarios';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { ConnectionRecord } from '../state/connection-record';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { SandboxPolicy } from './sandbox-policy';

/**
 * `POST /v1/sandbox/connections/{uuid}/scenario` (decisions 5): sets the field `scenario` of the connection. It affects the
 * next request to the portal, as a failure of a real provider would.
 */
@Injectable()
export class SetScenario {
  constructor(
    private readonly em: EntityManager,
    private readonly sandbox: SandboxPolicy,
    private readonly portals: SandboxPortals,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `TEST_ENVIRONMENT_ONLY`, `SANDBOX_ONLY` */
  async set(caller: Caller, connection: ConnectionRecord, scenario: Scenario): Promise<void> {
    this.sandbox.assertAllowed(caller, connection);
    await this.em.fork().transactional(async (em) => {
      const row = await lockConnection(em, connection.uuid);
      row.settings = { ...row.settings, scenario, fails_from: 'setup' };
      row.updatedAt = this.clock.now();
      await this.portals.affectConsents(em, row.uuid);
      this.changes.record(em, caller, row, { action: 'set-scenario', details: { scenario } });
    });
  }
}
