import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { lockConnection } from '../access/own-connection';
import { RecordChange } from '../state/record-change';
import { scheduledAfter } from '../state/scheduled-after';

/** `PUT …/disable` and `PUT …/enable` (spec 4.5): both idempotent; after disabling no new transaction comes to be. */
@Injectable()
export class SwitchConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly record: RecordChange,
  ) {}

  async run(caller: Caller, uuid: string, to: 'enabled' | 'disabled'): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const connection = await lockConnection(em, uuid);
      const before = connection.status;
      const now = this.clock.now();
      if (to === 'disabled') connection.disable(now);
      else {
        const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
        connection.enable(now, scheduledAfter(connection, now, environment));
      }
      if (connection.status === before) return;
      connection.updatedAt = now;
      this.record.run(em, caller, connection, { action: to === 'disabled' ? 'disable' : 'enable', before });
    });
  }
}
