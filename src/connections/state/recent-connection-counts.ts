import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CostlyReads } from '../../platform/concurrency/costly-reads';
import { countByState, MAX_COUNT_WAIT_MS, type StateCount } from './count-by-state';

/** The connections of all environments by integration and state. */
@Injectable()
export class RecentConnectionCounts {
  private readonly counts = new CostlyReads<StateCount[]>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Null while very many of them are being counted for the first time. */
  async read(): Promise<readonly StateCount[] | null> {
    const counted = await this.counts.getWithin(MAX_COUNT_WAIT_MS, 'all', this.clock.now(), () =>
      countByState(this.em.fork()),
    );
    return counted && counted.value;
  }
}
