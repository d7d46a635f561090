import { WeightedSemaphore } from '../../platform/concurrency/weighted-semaphore';
import type { BufferPool } from '../../platform/buffers/buffer-pool';

/** Limits concurrent writes and keeps the order of the calls. */
export class WriteQueue {
  private readonly slots: WeightedSemaphore;

  constructor(
    private readonly memory: BufferPool,
    atOnce: number,
  ) {
    this.slots = new WeightedSemaphore(atOnce);
  }

  /** Writes one chunk from a pooled buffer, which is reused after this has resolved. */
  async write(write: (memory: Buffer) => Promise<void>): Promise<void> {
    await this.slots.run(async () => {
      const memory = this.memory.acquire();
      await write(memory);
      this.memory.release(memory);
    });
  }
}
