import { Injectable } from '@nestjs/common';

/** Tells the worker of this process that a fetch has been queued; workers in other processes find it with their next poll. */
@Injectable()
export class FetchWakeup {
  private listener: () => void = () => undefined;

  /** `listener` is called for every queued fetch. One worker per process. */
  onWake(listener: () => void): void {
    this.listener = listener;
  }

  /** Call it after the commit; a lost call only causes a short delay. */
  wake(): void {
    this.listener();
  }
}
