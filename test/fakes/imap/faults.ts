import { EventEmitter, once } from 'node:events';

/** How a command fails. `hang` never answers; `close` cuts the connection; the others answer and go on. */
export type FaultKind = 'close' | 'no' | 'bad' | 'hang' | 'unavailable';

export interface FaultSpec {
  /**
   * A command in upper case. `LOGIN` also means AUTHENTICATE, `FETCH` and the like also their UID form;
   * `CONNECT` is the greeting; `*` is any command.
   */
  readonly on: string;
  readonly how: FaultKind;
  /** The number of such commands that succeed first. Default 0. */
  readonly after?: number;
  /** How many commands fail. Default: all from then on. */
  readonly times?: number;
  /** With `close`: the command is carried out and the connection cut after so many bytes of its answer, or at its end. */
  readonly afterBytes?: number;
  /** The response code of `no`, `bad` and `unavailable` (RFC 5530), for example `LIMIT`. */
  readonly code?: string;
}

/** A fault that was ordered; `hits` counts the commands that met it. */
export class Fault {
  hits = 0;
  private seen = 0;
  private cancelled = false;
  private readonly events = new EventEmitter();

  constructor(readonly spec: FaultSpec) {}

  /** Resolves when the fault has struck for the `count`-th time. */
  async struck(count = 1): Promise<void> {
    while (this.hits < count) await once(this.events, 'hit');
  }

  /** Commands are answered properly again. */
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
