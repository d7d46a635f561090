import { Injectable } from '@nestjs/common';
import { Allowance } from '../../../platform/concurrency/allowance';

/** Endpoints to which one process sends widely (several documents in flight, more read ahead) at the same time. */
const WIDE_PLACES = 50;
/** Endpoints that are slow, or fail, for which the process reads documents or writes results at the same time. */
const QUIETLY_AT_ONCE = 4;
/** Slow endpoints whose number of lanes is remembered until the next drain. */
const REMEMBERED = 10_000;

/** What the pushes of one process share, so that endpoints which hang or are slow take nothing from those that answer. */
@Injectable()
export class PushPlaces {
  private wide = 0;
  private readonly quiet = new Allowance(QUIETLY_AT_ONCE);
  private readonly widths = new Map<string, number>();

  /** Answers what gives the place back, or null when all are taken: then one document is sent after the other. */
  takeWide(): (() => void) | null {
    if (this.wide >= WIDE_PLACES) return null;
    this.wide += 1;
    return () => void (this.wide -= 1);
  }

  /** Waits for a turn to use database and processor for an endpoint that is slow; the function ends it, and may be called again. */
  async enterQuietly(): Promise<() => void> {
    let leave: (() => void) | null = await this.quiet.take(1);
    return () => {
      leave?.();
      leave = null;
    };
  }

  /** Does work of an endpoint that is slow, or that failed, when it is its turn. */
  async quietly<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enterQuietly();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Requests in flight that a slow endpoint has last been trusted with; 1 when nothing is known. */
  widthOf(environmentUuid: string): number {
    return this.widths.get(environmentUuid) ?? 1;
  }

  remember(environmentUuid: string, width: number): void {
    this.widths.delete(environmentUuid); // to the end of the map's order
    if (width > 1) this.widths.set(environmentUuid, width);
    if (this.widths.size > REMEMBERED) this.widths.delete(this.widths.keys().next().value!);
  }
}
