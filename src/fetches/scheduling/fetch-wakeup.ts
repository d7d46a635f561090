import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Tells the worker of this process that a fetch has been queued; workers in other processes find it with their next poll. */
@Injectable()
export class FetchWakeup {
  private listener: () => void = () => undefined;

  /**
   * `listener` is called for every queued fetch. One worker per process. It runs in the caller's async context: that of the request
   * that queued the fetch would pass from each fetch to the next, with its id for log lines and its unit of work.
   */
  onWake(listener: () => void): void {
    this.listener = AsyncLocalStorage.bind(listener);
  }

  /** Call it after the commit; a lost call only causes a short delay. */
  wake(): void {
    this.listener();
  }
}
