import { EventEmitter, once } from 'node:events';

/** One received command. `arguments` is empty for LOGIN and AUTHENTICATE. */
export interface ReceivedCommand {
  readonly session: number;
  readonly command: string;
  readonly arguments: string;
}

/** A command that changed the mailbox or tried to. */
export interface Change {
  readonly session: number;
  readonly command: string;
  readonly folder: string;
}

/** The commands of all clients, in order. */
export class Transcript {
  readonly entries: ReceivedCommand[] = [];
  readonly changes: Change[] = [];
  private readonly events = new EventEmitter();

  add(entry: ReceivedCommand): void {
    this.entries.push(entry);
    this.events.emit('entry');
  }

  /** Resolves when the command has been received this number of times in total. */
  async waitForCommand(command: string, times: number): Promise<void> {
    while (this.entries.filter((entry) => entry.command === command).length < times) await once(this.events, 'entry');
  }
}
