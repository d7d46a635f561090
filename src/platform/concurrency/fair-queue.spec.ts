import { FairQueue, type WaitingGroup } from './fair-queue';

interface WaitingJob {
  readonly group: string;
  readonly priority: number;
  readonly order: number;
}

/** A queue with the order of the job engine: the highest priority first, then the oldest. */
class Queue {
  private waiting: WaitingJob[] = [];
  private made = 0;

  add(...lines: string[]): void {
    const queue = new FairQueue(this.lines());
    for (const group of lines) this.waiting.push({ group, priority: queue.next(group), order: this.made++ });
  }

  take(count: number): WaitingJob[] {
    this.waiting.sort((a, b) => b.priority - a.priority || a.order - b.order);
    return this.waiting.splice(0, count);
  }

  get length(): number {
    return this.waiting.length;
  }

  private lines(): WaitingGroup[] {
    const names = [...new Set(this.waiting.map(({ group }) => group))];
    return names.map((group) => {
      const priorities = this.waiting.filter((job) => job.group === group).map(({ priority }) => priority);
      return { group, first: Math.max(...priorities), last: Math.min(...priorities) };
    });
  }
}

const times = (count: number, group: string): string[] => new Array<string>(count).fill(group);

describe('A fair queue', () => {
  it('serves groups in turn, regardless of order and length', () => {
    const queue = new Queue();
    queue.add(...times(1000, 'large'));
    queue.add('b', 'b', 'b', 'c');
    expect(queue.take(8).map(({ group }) => group)).toEqual(['large', 'b', 'c', 'large', 'b', 'large', 'b', 'large']);
  });

  it('places a new group at the current front, but not before waiting jobs', () => {
    const queue = new Queue();
    queue.add(...times(1000, 'large'));
    queue.take(500);
    queue.add('small');
    expect(queue.take(3).map(({ group }) => group)).toEqual(['large', 'small', 'large']);
  });

  it('keeps the order within a group that is refilled repeatedly', () => {
    const queue = new Queue();
    queue.add(...times(200, 'large'));
    const taken: WaitingJob[] = [];
    for (let round = 0; round < 50; round++) {
      taken.push(...queue.take(20));
      queue.add(...times(20, 'large'), ...(round % 3 === 0 ? ['small'] : []));
    }
    const orders = taken.filter(({ group }) => group === 'large').map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
  });

  it('starts again at 0 after the queue was empty, and never goes below the lowest priority', () => {
    expect(new FairQueue([]).next('a')).toBe(0);
    const queue = new FairQueue([{ group: 'a', first: -1_999_999_999, last: -2_000_000_000 }]);
    expect([queue.next('a'), queue.next('b')]).toEqual([-2_000_000_000, -1_999_999_999]);
  });
});
