import { WeightedSemaphore } from '../../platform/concurrency/weighted-semaphore';
import type { BufferPool } from '../../platform/buffers/buffer-pool';

/** Lets a few write at a time, in the order of their calls. */
export class WriteQueue {
  private readonly slots: WeightedSemaphore;

  constructor(
    private readonly memory: BufferPool,
    atOnce: number,
  ) {
    this.slots = new WeightedSemaphore(atOnce);
  }

  /** Writes one chunk from memory that is used again once this has resolved. */
  async run(write: (memory: Buffer) => Promise<void>): Promise<void> {
    const done = await this.slots.acquire(1);
    try {
      const memory = this.memory.acquire();
      await write(memory);
      this.memory.release(memory);
    } finally {
      done();
    }
  }
}
