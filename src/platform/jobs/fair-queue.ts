/** What waits in a line: the priority of its last job, and the highest one of its jobs. */
export interface WaitingGroup {
  readonly line: string | null;
  readonly last: number;
  readonly first: number;
}

/** As low as a priority gets; reached only by a queue that has not been empty for months. */
const LOWEST = -2_000_000_000;

/**
 * Gives jobs of several lines priorities such that the lines take turns, however many jobs each has (start-time fair
 * queueing): a job comes behind the last one of its own line, and a line that was empty joins at the front of the others.
 * A queue that has been empty begins again at 0; a higher priority than that goes before all lines.
 */
export class FairQueue {
  private readonly front: number;
  private readonly lasts: Map<string | null, number>;

  constructor(waiting: readonly WaitingGroup[]) {
    this.front = waiting.length > 0 ? Math.max(...waiting.map(({ first }) => first)) : 0;
    this.lasts = new Map(waiting.map(({ line, last }) => [line, last]));
  }

  /** The priority of the line's next job. */
  next(line: string): number {
    const last = this.lasts.get(line);
    const priority = last === undefined ? this.front : Math.max(LOWEST, Math.min(this.front, last - 1));
    this.lasts.set(line, priority);
    return priority;
  }
}
