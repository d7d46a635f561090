import { Allowance } from '../../platform/concurrency/allowance';
import type { SpareMemory } from '../../platform/buffers/spare-memory';

/** Lets a few write at a time, in the order of their calls. */
export class WriteTurns {
  private readonly turns: Allowance;

  constructor(
    private readonly memory: SpareMemory,
    atOnce: number,
  ) {
    this.turns = new Allowance(atOnce);
  }

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
