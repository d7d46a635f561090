import { EventEmitter, once } from 'node:events';

/** The failure of a command. `hang` never answers; `close` closes the connection; the others answer and continue. */
export type FaultKind = 'close' | 'no' | 'bad' | 'hang' | 'unavailable';

export interface FaultSpec {
  /**
   * A command in upper case. `LOGIN` includes AUTHENTICATE; `FETCH` and similar commands include their UID form;
   * `CONNECT` is the greeting; `*` is any command.
   */
  readonly on: string;
  readonly how: FaultKind;
  /** The number of matching commands that succeed first. Default 0. */
  readonly after?: number;
  /** The number of commands that fail. Default: all later ones. */
  readonly times?: number;
  /** With `close`: the connection is closed after this number of bytes of the response, or at its end. */
  readonly afterBytes?: number;
  /** The response code of `no`, `bad` and `unavailable` (RFC 5530), for example `LIMIT`. */
  readonly code?: string;
}

/** A configured fault; `hits` counts the commands that it affected. */
export class Fault {
  hits = 0;
  private seen = 0;
  private cancelled = false;
  private readonly events = new EventEmitter();

  constructor(readonly spec: FaultSpec) {}

  /** Resolves when the fault has applied for the `count`-th time. */
  async struck(count = 1): Promise<void> {
    while (this.hits < count) await once(this.events, 'hit');
  }

  /** Removes the fault. */
  cancel(): void {
    this.cancelled = true;
  }

  /** Returns true when this command fails; counts it. */
  strikes(command: string): boolean {
    if (this.cancelled || !this.matches(command)) return false;
    const { after = 0, times = Infinity } = this.spec;
    if (this.seen++ < after || this.hits >= times) return false;
    this.hits++;
    this.events.emit('hit');
    return true;
  }

  private matches(command: string): boolean {
    const { on } = this.spec;
    if (on === '*') return command !== 'CONNECT';
    return command === on || command === `UID ${on}` || (on === 'LOGIN' && command === 'AUTHENTICATE');
  }
}
