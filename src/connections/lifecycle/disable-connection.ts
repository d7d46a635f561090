import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';

/** `PUT …/disable` (spec 4.5), idempotent. No transaction is created after it has returned. */
@Injectable()
export class DisableConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly changes: ConnectionChangeLog,
  ) {}

  async disable(caller: Caller, uuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const now = this.clock.now();
      connection.disable(now);
      if (connection.status === before) return;
      connection.updatedAt = now;
      this.changes.record(em, caller, connection, { action: 'disable', before });
    });
  }
}
