import type { CommandCursor } from '../protocol/command-cursor';
import { CONNECTION_COMMANDS } from './connection-commands';
import { FOLDER_COMMANDS } from './folder-commands';
import { MESSAGE_COMMANDS } from './message-commands';
import type { Session, State } from '../session';

/** The execution of one command. */
export interface Command {
  readonly states: readonly State[];
  /** Reads its arguments, answers untagged, and returns the text after OK. Throws `Refusal`. */
  run(session: Session, args: CommandCursor): Promise<string | void> | string | void;
  /** The capability that must be offered for the command to exist. */
  readonly needs?: string;
  /** Arguments stay out of the transcript. */
  readonly secret?: boolean;
  /** False: expunges are not reported during this command. */
  readonly expunges?: boolean;
}

/** Every command that the server knows, by its name in upper case. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ...CONNECTION_COMMANDS, ...FOLDER_COMMANDS, ...MESSAGE_COMMANDS }),
);
