import { Injectable } from '@nestjs/common';
import { WeightedSemaphore } from '../../../platform/concurrency/weighted-semaphore';

/**
 * Endpoints to which one process sends with a wide window (several documents in flight, more prefetched) at the same
 * time.
 */
const MAX_WIDE_ENDPOINTS = 50;
/** Slow or failing endpoints for which the process reads documents or writes results at the same time. */
const MAX_CONCURRENT_SLOW = 4;
/** Slow endpoints whose window size is kept until the next drain. */
const MAX_REMEMBERED_WINDOWS = 10_000;

/**
 * Capacity shared by all pushes of one process, so that hanging or slow endpoints do not use that of those that
 * respond.
 */
@Injectable()
export class PushCapacity {
  private wideSlots = 0;
  private readonly slowSlots = new WeightedSemaphore(MAX_CONCURRENT_SLOW);
  private readonly windows = new Map<string, number>();

  /** Returns a function that releases the slot, or null when all are taken: then documents are sent one at a time. */
  tryAcquireWide(): (() => void) | null {
    if (this.wideSlots >= MAX_WIDE_ENDPOINTS) return null;
    this.wideSlots += 1;
    return () => void (this.wideSlots -= 1);
  }

  /**
   * Waits for permission to use the database and the processor for a slow endpoint. Returns a function that releases it
   * and may be called more than once.
   */
  acquireSlow(): Promise<() => void> {
    return this.slowSlots.acquire();
  }

  /** Runs work of a slow or failed endpoint when capacity is available. */
  runAsSlow<T>(work: () => Promise<T>): Promise<T> {
    return this.slowSlots.run(work);
  }

  /** The last window size of a slow endpoint; 1 when unknown. */
  windowOf(environmentUuid: string): number {
    return this.windows.get(environmentUuid) ?? 1;
  }

  rememberWindow(environmentUuid: string, width: number): void {
    this.windows.delete(environmentUuid); // to the end of the map's order
    if (width > 1) this.windows.set(environmentUuid, width);
    if (this.windows.size > MAX_REMEMBERED_WINDOWS) this.windows.delete(this.windows.keys().next().value!);
  }
}
