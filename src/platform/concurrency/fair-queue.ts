/** The waiting jobs of a group: the priority of its last job, and the highest priority. */
export interface WaitingGroup {
  readonly group: string | null;
  readonly last: number;
  readonly first: number;
}

/** The lowest priority; reached only by a queue that has not been empty for months. */
const LOWEST = -2_000_000_000;

/**
 * Assigns priorities so that groups are served in turn, regardless of their number of jobs (start-time fair queueing):
 * a job is placed after the last one of its group, and a new group joins at the current front. An empty queue starts
 * again at 0; a higher priority goes before all groups. The jobs wait in the database, so that all workers share their order; queues
 * of libraries hold them in the memory of one process.
 */
export class FairQueue {
  private readonly front: number;
  private readonly lasts: Map<string | null, number>;

  constructor(waiting: readonly WaitingGroup[]) {
    this.front = waiting.length > 0 ? Math.max(...waiting.map(({ first }) => first)) : 0;
    this.lasts = new Map(waiting.map(({ group, last }) => [group, last]));
  }

  /** The priority of the next job of a group. */
  next(group: string): number {
    const last = this.lasts.get(group);
    const priority = last === undefined ? this.front : Math.max(LOWEST, Math.min(this.front, last - 1));
    this.lasts.set(group, priority);
    return priority;
  }
}
