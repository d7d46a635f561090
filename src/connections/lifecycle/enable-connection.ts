import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { nextFetchTime } from '../state/next-fetch-time';

/** `PUT …/enable` (spec 4.5), idempotent. */
@Injectable()
export class EnableConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly changes: ConnectionChangeLog,
  ) {}

  async enable(caller: Caller, uuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const now = this.clock.now();
      const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
      connection.enable(now, nextFetchTime(connection, now, environment));
      if (connection.status === before) return;
      connection.updatedAt = now;
      this.changes.record(em, caller, connection, { action: 'enable', before });
    });
  }
}
