import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { affected } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';

/** Removes sessions and links of the console that have expired. What they were used for is in the audit log. */
@Injectable()
export class RemoveExpiredSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of removed rows. */
  @Recurring({ everyMs: 600_000, failure: 'Expired sessions of the console could not be removed' })
  async remove(): Promise<number> {
    const em = this.em.fork();
    const now = this.clock.now();
    const sessions = await affected(em, 'delete from console_session where expires_at <= $1', [now]);
    return sessions + (await affected(em, 'delete from console_link where expires_at <= $1', [now]));
  }
}
