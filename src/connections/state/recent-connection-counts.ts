import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CostlyReads } from '../../platform/concurrency/costly-reads';
import { countByState, type StateCount } from './count-by-state';

/** The connections of all environments by integration and state. */
@Injectable()
export class RecentConnectionCounts {
  private readonly counts = new CostlyReads<StateCount[]>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<readonly StateCount[]> {
    return (await this.counts.get('all', this.clock.now(), () => countByState(this.em.fork()))).value;
  }
}
