import { Allowance } from '../platform/allowance';
import type { SpareMemory } from '../platform/spare-memory';

/**
 * So many chunks are on their way into the database at a time. They keep it busy; more would wait for each other in there, which
 * costs it a third more for each chunk, and would leave fewer of the pool's connections to others.
 */
const AT_ONCE = 4;

/** Lets a few write at a time, in the order of their calls. */
export class WriteTurns {
  private readonly turns = new Allowance(AT_ONCE);

  constructor(private readonly memory: SpareMemory) {}

  /** Writes one chunk from memory that is used again once this has resolved. */
  async run(write: (memory: Buffer) => Promise<void>): Promise<void> {
    const done = await this.turns.take(1);
    try {
      const memory = this.memory.take();
      await write(memory);
      this.memory.keep(memory);
    } finally {
      done();
    }
  }
}
