import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { countByState, type StateCount } from './count-by-state';

/** For this long, a count is not repeated: the query reads the whole table. */
const COUNT_EVERY_MS = 60_000;

/** The connections of all environments by integration and state, up to a minute old. Concurrent callers wait for one query. */
@Injectable()
export class RecentConnectionCounts {
  private latest: { readonly at: number; readonly counts: Promise<StateCount[]> } | undefined;

  constructor(private readonly em: EntityManager) {}

  read(): Promise<readonly StateCount[]> {
    const now = performance.now();
    if (this.latest && now - this.latest.at < COUNT_EVERY_MS) return this.latest.counts;
    const latest = { at: now, counts: countByState(this.em.fork()) };
    this.latest = latest;
    latest.counts.catch(() => {
      if (this.latest === latest) this.latest = undefined;
    });
    return latest.counts;
  }
}
