import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import type { Scenario } from '../../integrations/shared/sandbox/scenarios';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { ConnectionFacts } from '../state/connection-facts';
import { lockConnection } from '../access/own-connection';
import { RecordChange } from '../state/record-change';
import { SandboxConnection } from './sandbox-connection';

/**
 * `POST /v1/sandbox/connections/{uuid}/scenario` (decisions 5): sets the field `scenario` of the connection, from now on. The
 * connection notices with its next call of the portal, as it would with a real one.
 */
@Injectable()
export class SetScenario {
  constructor(
    private readonly em: EntityManager,
    private readonly sandbox: SandboxConnection,
    private readonly portals: SandboxPortals,
    private readonly record: RecordChange,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `TEST_ENVIRONMENT_ONLY`, `SANDBOX_ONLY` */
  async set(caller: Caller, connection: ConnectionFacts, scenario: Scenario): Promise<void> {
    this.sandbox.assertObeys(caller, connection);
    await this.em.fork().transactional(async (em) => {
      const row = await lockConnection(em, connection.uuid);
      row.settings = { ...row.settings, scenario, fails_from: 'setup' };
      row.updatedAt = this.clock.now();
      await this.portals.affectConsents(em, row.uuid);
      this.record.run(em, caller, row, { action: 'set-scenario', details: { scenario } });
    });
  }
}
