import { Injectable } from '@nestjs/common';
import { Allowance } from '../../../platform/concurrency/allowance';

/** Endpoints to which one process sends widely (several documents in flight, more read ahead) at the same time. */
const MAX_WIDE_ENDPOINTS = 50;
/** Endpoints that are slow, or fail, for which the process reads documents or writes results at the same time. */
const MAX_CONCURRENT_SLOW = 4;
/** Slow endpoints whose number of lanes is remembered until the next drain. */
const MAX_REMEMBERED_WINDOWS = 10_000;

/** What the pushes of one process share, so that endpoints which hang or are slow take nothing from those that answer. */
@Injectable()
export class PushCapacity {
  private wideSlots = 0;
  private readonly slowSlots = new Allowance(MAX_CONCURRENT_SLOW);
  private readonly windows = new Map<string, number>();

  /** Answers what gives the place back, or null when all are taken: then one document is sent after the other. */
  tryAcquireWide(): (() => void) | null {
    if (this.wideSlots >= MAX_WIDE_ENDPOINTS) return null;
    this.wideSlots += 1;
    return () => void (this.wideSlots -= 1);
  }

  /** Waits for a turn to use database and processor for an endpoint that is slow; the function ends it, and may be called again. */
  async acquireSlow(): Promise<() => void> {
    let leave: (() => void) | null = await this.slowSlots.take(1);
    return () => {
      leave?.();
      leave = null;
    };
  }

  /** Does work of an endpoint that is slow, or that failed, when it is its turn. */
  async runAsSlow<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.acquireSlow();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Requests in flight that a slow endpoint has last been trusted with; 1 when nothing is known. */
  windowOf(environmentUuid: string): number {
    return this.windows.get(environmentUuid) ?? 1;
  }

  rememberWindow(environmentUuid: string, width: number): void {
    this.windows.delete(environmentUuid); // to the end of the map's order
    if (width > 1) this.windows.set(environmentUuid, width);
    if (this.windows.size > MAX_REMEMBERED_WINDOWS) this.windows.delete(this.windows.keys().next().value!);
  }
}
