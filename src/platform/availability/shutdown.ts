import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Whether this process has been asked to end. From then on it is not ready, and its responses close their connections. */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  private readonly actions: (() => void)[] = [];
  private begun = false;

  get hasBegun(): boolean {
    return this.begun;
  }

  onBegin(action: () => void): void {
    this.actions.push(action);
  }

  begin(): void {
    if (this.begun) return;
    this.begun = true;
    for (const action of this.actions) action();
  }

  /** An application that is closed without a delay, after it could not listen for example, begins here. */
  beforeApplicationShutdown(): void {
    this.begin();
  }
}
